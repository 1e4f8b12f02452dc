// Preloaded beside the address sanitizer's runtime: with it, Debian 12's postgres hangs in glibc's gettext lock.
char *bindtextdomain(const char *domain, const char *folder) { (void)domain; return (char *)folder; }
char *bind_textdomain_codeset(const char *domain, const char *set) { (void)domain; return (char *)set; }
char *textdomain(const char *domain) { return (char *)domain; }
char *gettext(const char *text) { return (char *)text; }
char *dgettext(const char *domain, const char *text) { (void)domain; return (char *)text; }
char *dcgettext(const char *domain, const char *text, int c) { (void)domain; (void)c; return (char *)text; }
char *ngettext(const char *one, const char *many, unsigned long n) { return (char *)(n == 1 ? one : many); }
char *dngettext(const char *domain, const char *one, const char *many, unsigned long n)
{
    (void)domain;
    return (char *)(n == 1 ? one : many);
}
