// Owns the precompiled headers of tests.
int main() {}
