// Search in pages that are files, too: these may load scripts and nothing else, so the index comes as one, when it is asked for.
(function () {
  const field = document.getElementById('mkdocs-search-query');
  const results = document.getElementById('mkdocs-search-results');
  const most = 20;
  let index;  // of lunr, once it is there

  function load(name) {
    return new Promise(function (done) {
      const script = document.createElement('script');
      script.src = base_url + '/search/' + name;
      script.onload = done;
      document.head.append(script);
    });
  }

  // The words around the first one that is looked for.
  function excerpt(text, words) {
    const places = words.map((w) => text.toLowerCase().indexOf(w)).filter((p) => p >= 0);
    const begin = Math.max(0, Math.min(...places, text.length) - 80);
    return (begin ? '... ' : '') + text.slice(begin, begin + 240) + ' ...';
  }

  function show(query) {
    results.textContent = '';
    if (query.length < 3) return;
    // Every word has to be there, but for those that are everywhere, or one that begins so; the word itself counts more.
    const words = lunr.tokenizer(query).filter(lunr.stopWordFilter).map(String);
    const found = index.query(function (q) {
      for (const word of words) {
        const stem = lunr.stemmer(new lunr.Token(word)).toString();
        q.term(stem, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false, presence: lunr.Query.presence.REQUIRED });
        q.term(stem, { boost: 10, usePipeline: false });
      }
    });
    if (!found.length) results.textContent = 'Nothing has all of these words.';
    for (const hit of found.slice(0, most)) {
      const place = manual.docs[hit.ref];
      const article = document.createElement('article'), head = document.createElement('h3');
      const link = document.createElement('a'), text = document.createElement('p');
      link.href = base_url + '/' + place.location;
      link.textContent = place.title;
      text.textContent = excerpt(place.text, words);
      head.append(link);
      article.append(head, text);
      results.append(article);
    }
  }

  async function begin() {
    field.removeEventListener('focus', begin);
    await load('lunr.js');
    await load('search_index.js');
    lunr.tokenizer.separator = new RegExp(manual.config.separator);
    index = lunr(function () {
      this.ref('place');
      this.field('title', { boost: 5 });
      this.field('text');
      manual.docs.forEach((d, place) => this.add({ place: place, title: d.title, text: d.text }));
    });
    show(field.value.trim());
  }

  field.addEventListener('focus', begin);
  field.addEventListener('input', function () { if (index) show(field.value.trim()); });
})();
