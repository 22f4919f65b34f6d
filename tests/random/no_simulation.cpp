// Programs that read platforms but simulate nothing have a main of their own; libsystemc asks for this one.
extern "C" int sc_main(int, char*[]) {
  return 0;
}
