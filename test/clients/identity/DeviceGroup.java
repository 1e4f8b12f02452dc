// The device group's id in Java, and the vectors run against it. Reads lines: organization, serials in
// hexadecimal joined by commas, how many they are, id.
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Scanner;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class DeviceGroup {
    static final UUID NAMESPACE = UUID.fromString("6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11");
    // What JavaScript's trim() strips; strip() strips others.
    static final String SPACE = "[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+";

    static UUID id(String organization, List<String> serialNumbers) throws Exception {
        TreeSet<String> serials = new TreeSet<>(); // String compares UTF-16 code units
        for (String serial : serialNumbers)
            serials.add(lower(serial.replaceAll("^" + SPACE, "").replaceAll(SPACE + "\\z", "")));
        serials.remove("");
        String json = serials.stream().map(DeviceGroup::quote).collect(Collectors.joining(",", "[", "]"));
        return v5(lower(organization) + ":" + json);
    }

    static UUID v5(String name) throws Exception {
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        sha1.update(ByteBuffer.allocate(16).putLong(NAMESPACE.getMostSignificantBits())
                .putLong(NAMESPACE.getLeastSignificantBits()).array());
        ByteBuffer digest = ByteBuffer.wrap(sha1.digest(name.getBytes(StandardCharsets.UTF_8)));
        return new UUID(digest.getLong() & ~0xf000L | 0x5000L, digest.getLong() & ~(3L << 62) | 1L << 63);
    }

    static String lower(String text) { // ASCII only: toLowerCase() knows more letters, and other ones each year
        return text.chars().map(c -> c >= 'A' && c <= 'Z' ? c + 32 : c)
                .collect(StringBuilder::new, (out, c) -> out.append((char) c), StringBuilder::append).toString();
    }

    static String quote(String text) { // as JSON.stringify
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            int known = "\"\\\b\t\n\f\r".indexOf(c);
            if (known >= 0) out.append('\\').append("\"\\btnfr".charAt(known));
            else if (c < 0x20) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    public static void main(String[] args) throws Exception {
        int checked = 0;
        for (Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8).useDelimiter("\n"); lines.hasNext(); ++checked) {
            String[] fields = lines.next().split("\t", -1);
            List<String> serials = Stream.of(fields[1].split(",", -1)).limit(Integer.parseInt(fields[2]))
                    .map(hex -> new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8)).toList();
            if (!id(fields[0], serials).toString().equals(fields[3]))
                throw new AssertionError(String.join(" ", fields));
        }
        if (checked == 0) throw new AssertionError("no vectors");
    }
}
