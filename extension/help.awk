# Writes the function behind arbiter.help from the pages of doc/, so that neither says what the other does not:
#   awk -f extension/help.awk doc/README.md doc/claim.md …
# doc/README.md says in its table what each page answers, in which order; a page's entries (doc/README.md, "How a page is
# written") have signatures and errors. test/docs/signatures holds the entries against the server. Updates bring it too.
function plain(text) { # Markdown as a terminal shows it
    gsub(/`|\*\*/, "", text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART, RLENGTH)
        sub(/\].*/, "", link)
        text = substr(text, 1, RSTART - 1) substr(link, 2) substr(text, RSTART + RLENGTH)
    }
    gsub(/\\\|/, "|", text)
    return text
}
function literal(text) {
    gsub(/'/, "''", text)
    return "'" text "'"
}
function end_entry(    i) {
    for (i = 1; i <= named; i++)
        rows[topic] = rows[topic] ",\n(" literal(topic) ", " literal(title[topic]) ", " literal(names[i]) ", " ++entries ", " \
            literal(signatures[names[i]]) ", " literal(errors) ")"
    split("", signatures)
    named = 0
    errors = ""
}
FNR == 1 {
    end_entry()
    topic = FILENAME
    gsub(/^.*\/|\.md$/, "", topic)
    open = ""
}
topic == "README" {
    if (match($0, /^\| \[[^]]*\]\([a-z]+\.md\) \| /)) {
        page = $0
        sub(/^[^(]*\(/, "", page)
        sub(/\.md.*/, "", page)
        title[page] = substr($0, RLENGTH + 1)
        sub(/ \|$/, "", title[page])
        title[page] = plain(title[page])
        order[++pages] = page
    }
    next
}
/^```/ {
    open = open == "" ? ($0 == "```" ? "bare" : "other") : ""
    call = ""
    next
}
open == "other" { next }
/^#/ { end_entry() }
open == "bare" && match($0, /^(CALL |view )?arbiter\.[a-z0-9_]+ ?\(/) {
    call = substr($0, RSTART, RLENGTH)
    gsub(/^.*arbiter\.| ?\(/, "", call)
    if (call in signatures)
        signatures[call] = signatures[call] "\n"
    else
        names[++named] = call
    signatures[call] = signatures[call] $0
    next
}
open == "bare" && /^ / && call != "" { signatures[call] = signatures[call] "\n" $0 }
/^\| [0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z] \| / {
    split($0, cells, / \| /)
    errors = errors (errors == "" ? "" : "\n") substr(cells[1], 3) "  " plain(substr($0, 11, length($0) - 12))
}
END {
    end_entry()
    print "\nCREATE OR REPLACE FUNCTION arbiter.help_pages("
    print "    OUT topic text, OUT title text, OUT call text, OUT place integer, OUT signature text, OUT errors text)"
    print "    RETURNS SETOF record LANGUAGE sql STABLE ROWS 150 AS $help$"
    for (i = 1; i <= pages; i++)
        all = all rows[order[i]]
    print "VALUES" substr(all, 2)
    print "$help$;"
    print "COMMENT ON FUNCTION arbiter.help_pages() IS"
    print "    'internal: what the documentation says of each call, for arbiter.help';"
}
