"""Mutations of C++ sources: where a token can be another one, and how a source has many of them, each behind a switch.

The sources are formatted by clang-format, from which it follows what a token is: a binary operator has space on both
sides, an angle bracket none before it. Nothing here knows more of C++ than that.
"""

import re
from typing import NamedTuple

TOKEN = re.compile(r'''
    (?P<skip>//[^\n]*|/\*.*?\*/|\s+|^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<text>R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])')
  | (?P<number>\.?\d(?:[\w.']|[eEpP][+-])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->\*|->|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
''', re.X | re.M | re.S)

# The other token of each: relational, arithmetic, logical, counting, of two, of three.
OTHER = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '+': '-', '-': '+', '*': '/', '/': '*',
         '%': '/', '&&': '||', '||': '&&', '++': '--', '--': '++', '+=': '-=', '-=': '+=', 'true': 'false',
         'false': 'true', 'min': 'max', 'max': 'min', '|=': '&='}
ASSIGNMENTS = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}
BOUNDARIES = ASSIGNMENTS | {';', ',', '?', ':', 'return', 'else', 'do', 'throw', 'case'}
# Functions for waveforms, and for the report of a run that hangs. People read their texts.
SHOWING = {'signals', 'report_waiting'}
BEFORE_STATEMENT = {'if', 'for', 'while', 'switch', 'catch', 'constexpr'}


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Mutation(NamedTuple):
    """`found` is replaced by `other` at `start`; of a whole statement or condition, `kind` says what happens to it."""
    start: int       # of the token
    found: str
    other: str
    kind: str        # expression, condition or statement
    span: tuple      # of the expression, condition or statement that is there twice


def tokens_of(text):
    tokens = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match.lastgroup != 'skip':
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
        at = match.end()
    return tokens


class Source:
    """A source's tokens, the bracket that belongs to each bracket, and the bracket around each token."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.pair, self.around = {}, []
        stack = []
        for n, t in enumerate(self.tokens):
            tight = n > 0 and self.tokens[n - 1].end == t.start
            opens_angle = t.text == '<' and n > 0 and (
                tight and self.tokens[n - 1].kind == 'word' or self.tokens[n - 1].text == 'template')
            closes = 0
            if t.kind == 'op' and t.text in ')]}':
                closes = 1
            elif t.text in ('>', '>>') and tight and stack and self.tokens[stack[-1]].text == '<':
                closes = len(t.text)
            for _ in range(closes):
                if stack:
                    opening = stack.pop()
                    self.pair[opening], self.pair[n] = n, opening
            self.around.append(stack[-1] if stack else None)
            if t.kind == 'op' and (t.text in '([{' or opens_angle):
                stack.append(n)

    def has_space_around(self, n):
        t = self.tokens[n]
        return self.text[t.start - 1].isspace() and self.text[t.end].isspace()

    def is_block(self, n):
        """Whether the brace at n begins a block, not a list of values."""
        if self.tokens[n].text != '{':
            return False
        before = self.tokens[n - 1]
        return before.end != self.tokens[n].start and before.text not in ('=', ',', '(', 'return', '{')

    def expression(self, n):
        """First and last token of the expression around the token at n: all between two boundaries."""
        first = n
        while first > 0:
            before, opening = self.tokens[first - 1], self.pair.get(first - 1)
            if before.text in BOUNDARIES:
                break
            if opening is None:
                first -= 1
                continue
            if opening > first - 1 or before.text == '}' and self.is_block(opening):
                break
            if before.text == ')' and opening > 0 and self.tokens[opening - 1].text in BEFORE_STATEMENT:
                break
            first = opening
        last = n
        while last + 1 < len(self.tokens):
            behind, closing = self.tokens[last + 1], self.pair.get(last + 1)
            if behind.text in BOUNDARIES:
                break
            if closing is None:
                last += 1
                continue
            if closing < last + 1 or self.is_block(last + 1) and self.tokens[last].text not in (')', ']'):
                break
            last = closing
        return first, last

    def is_for_the_compiler(self, n):
        """Whether the token at n is part of what the compiler must know: a template's argument, a constant, a label."""
        at = n
        while at is not None:
            if self.tokens[at].text == '<' and at in self.pair and at != n:
                return True
            begin = at
            while begin > 0 and self.tokens[begin - 1].text not in (';', '}') and begin - 1 != self.around[at]:
                begin = self.pair[begin - 1] if self.pair.get(begin - 1, begin) < begin - 1 else begin - 1
            words = {t.text for t in self.tokens[begin:at]}
            inside_function = at != n and self.is_block(at)
            if words & {'static_assert', 'enum', 'using', 'case', 'alignas', 'noexcept', 'operator', 'typedef'}:
                return True
            if 'constexpr' in words and not inside_function and 'if' not in words:
                return True
            at = self.around[at]
        return False

    def statement(self, n):
        """Last token of the statement that begins at n and can go: a call, an assignment, a way out. Or None."""
        first = self.tokens[n]
        if first.text in ('return', 'continue', 'break'):
            return n + 1 if self.tokens[n + 1].text == ';' else None
        if first.kind != 'word' and first.text not in ('++', '--', '*', '('):
            return None
        if first.text in ('if', 'for', 'while', 'switch', 'else', 'do', 'case', 'default', 'using', 'throw', 'public',
                          'private', 'protected', 'return', 'delete', 'goto', 'static_assert', 'template', 'struct'):
            return None
        at, assigns, calls = n, first.text in ('++', '--'), False
        while self.tokens[at].text != ';':
            t = self.tokens[at]
            if t.text in ASSIGNMENTS:
                assigns = True
            if at > n and not assigns and t.kind == 'word' and self.tokens[at - 1].kind == 'word':
                return None  # a declaration
            if at > n and not assigns and t.kind == 'word' and self.tokens[at - 1].text in ('*', '&', '>', '>>', '&&'):
                return None
            if t.text == '{' and not assigns:
                return None
            if t.kind == 'op' and at in self.pair:
                if self.pair[at] < at:
                    return None
                calls |= t.text == '('
                at = self.pair[at]
            at += 1
            if at >= len(self.tokens):
                return None
        return at if assigns or calls else None


def in_function(source, n):
    """Whether the token at n is in a function, and that does not only show what others do (SHOWING)."""
    at, inside = source.around[n], None
    while at is not None:
        if source.tokens[at].text == '{':
            before, words = at - 1, set()
            while before > 0 and source.tokens[before].text not in (';', '}', '{'):
                words.add(source.tokens[before].text)
                before = source.pair[before] if source.pair.get(before, before + 1) < before else before - 1
            if words & SHOWING:
                return False
            if inside is None:
                inside = not words & {'class', 'struct', 'namespace', 'enum', 'union'}
        at = source.around[at]
    return bool(inside)


def numbers_beside(text):
    """One more and one less than a whole number as it is written."""
    match = re.fullmatch(r"(0x[\da-fA-F]+|\d+)([uUlL]*)", text)
    if not match:
        return []
    value, base = int(match[1], 0) if match[1] != '0' and not re.fullmatch('0[0-7]+', match[1]) else 0, match[1][:2]
    shown = hex if base == '0x' else str
    return [shown(value + 1) + match[2]] + ([shown(value - 1) + match[2]] if value > 0 else [])


def mutations_of(text):
    """All mutations of a source, in its order."""
    s = Source(text)
    found = []

    def expression(n, other):
        first, last = s.expression(n)
        words = {t.text for t in s.tokens[first:last + 1]}
        if 'auto' in words or s.is_for_the_compiler(n):
            return
        if s.tokens[n].text in ('+', '-') and any(t.kind == 'text' and t.text[-1] == '"' for t in s.tokens[first:last + 1]):
            return  # strings have no difference
        found.append(Mutation(s.tokens[n].start, s.tokens[n].text, other, 'expression',
                              (s.tokens[first].start, s.tokens[last].end)))

    for n, t in enumerate(s.tokens[:-1]):
        if not in_function(s, n):
            continue
        if t.kind == 'number':
            for other in numbers_beside(t.text):
                expression(n, other)
        elif t.text in ('true', 'false'):
            expression(n, OTHER[t.text])
        elif t.text in ('min', 'max') and s.tokens[n - 1].text == '::' and s.tokens[n + 1].text in ('(', '<'):
            expression(n, OTHER[t.text])
        elif t.text in ('++', '--'):
            expression(n, OTHER[t.text])
        elif t.kind == 'op' and t.text in OTHER and n not in s.pair and s.has_space_around(n):
            expression(n, OTHER[t.text])
        if t.text == 'if' and s.tokens[n + 1].text == '(':
            inside = s.tokens[n + 2:s.pair[n + 1]]
            if not any(x.text in ('=', ';') and s.around[n + 2 + k] == n + 1 for k, x in enumerate(inside)):
                found.append(Mutation(s.tokens[n + 2].start, 'if', 'if not', 'condition',
                                      (s.tokens[n + 2].start, inside[-1].end)))
        before = s.tokens[n - 1] if n > 0 else None
        begins = before is not None and (before.text in (';', '{', '}', 'else') or (
            before.text == ')' and s.tokens[s.pair[n - 1] - 1].text in ('if', 'for', 'while', 'constexpr')))
        if begins and (before.text != '{' or s.is_block(n - 1)) and not (
                s.around[n] is not None and s.tokens[s.around[n]].text == '('):
            last = s.statement(n)
            if last is not None:
                found.append(Mutation(t.start, t.text, '', 'statement', (t.start, s.tokens[last].end)))
    return found


def on_one_line(text):
    return ' '.join(t.text for t in tokens_of(text))


def with_mutations(text, numbered):
    """The source with each of `numbered`, pairs of a number and a mutation, behind its switch. Lines stay where they are."""
    def between(start, end, inner):
        """The text from start to end with all of `inner`, which lie in it."""
        out, at = [], start
        while inner:
            # The outermost span that begins first, with all mutations of that very span.
            number, m = min(inner, key=lambda x: (x[1].span[0], -x[1].span[1]))
            same = [x for x in inner if x[1].span == m.span]
            deeper = [x for x in inner if x not in same and x[1].span[0] >= m.span[0] and x[1].span[1] <= m.span[1]]
            inner = [x for x in inner if x not in same and x not in deeper]
            if m.span[0] < at:
                continue  # spans overlap: the second mutation is not inserted, and no run reaches it
            out.append(text[at:m.span[0]])
            body = between(m.span[0], m.span[1], deeper)
            for number, m in sorted(same, key=lambda x: ['expression', 'condition', 'statement'].index(x[1].kind)):
                switch = f'::subcore_mutants::on({number})'
                if m.kind == 'expression':
                    other = text[m.span[0]:m.start] + m.other + text[m.start + len(m.found):m.span[1]]
                    body = f'({switch} ? {on_one_line(other)} : {body})'
                elif m.kind == 'condition':
                    body = f'({switch} != static_cast<bool>({body}))'
                else:
                    body = f'{{ if (!{switch}) {{ {body} }} }}'
            out.append(body)
            at = m.span[1]
        out.append(text[at:end])
        return ''.join(out)
    return between(0, len(text), list(numbered))
