import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGobject;

public final class Client {
    private static int number;
    private static int failed;
    private static final Map<String, String> known = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        String text;
        try (Stream<String> lines = Files.lines(Path.of(arguments[0]))) {
            text = lines.filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
        }
        try (Connection connection = connect()) {
            for (String block : text.strip().split("\n\n")) {
                report(connection, block.split("\n *"));
            }
        }
        System.exit(failed > 0 ? 1 : 0);
    }

    private static Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", System.getenv("PGUSER"));
        properties.setProperty("socketFactory", "SocketFile");
        properties.setProperty("socketFactoryArg",
                System.getenv("PGHOST") + "/.s.PGSQL." + System.getenv("PGPORT"));
        return DriverManager.getConnection("jdbc:postgresql://localhost/" + System.getenv("PGDATABASE"), properties);
    }

    private static void report(Connection connection, String[] lines) {
        String problem = null;
        String last = lines[lines.length - 1];
        String expected = last.startsWith("= ") ? last.substring(2) : null;
        String name = last.startsWith("> ") ? last.substring(2) : null;
        int end = expected == null && name == null ? lines.length : lines.length - 1;
        try {
            String answer = call(connection, lines, end);
            known.put(name, answer);
            if (expected != null && !expected.equals(answer)) {
                problem = answer + " instead of " + expected;
            }
        } catch (SQLException error) {
            problem = error.getSQLState() + " " + error.getMessage();
        }
        failed += problem == null ? 0 : 1;
        System.out.println((problem == null ? "ok " : "not ok ") + ++number + " - " + lines[0]
                + (problem == null ? "" : " # " + problem));
    }

    private static String call(Connection connection, String[] lines, int end) throws SQLException {
        connection.setAutoCommit(lines[1].startsWith("CALL"));
        String answer = null;
        try (PreparedStatement statement = connection.prepareStatement(lines[1].replaceAll("\\$\\d+", "?"))) {
            for (int i = 2; i < end; i++) {
                String[] argument = (lines[i] + " ").split(" ", 2);
                String value = argument[1].strip();
                set(connection, statement, i - 1, argument[0],
                        value.startsWith(":") ? known.get(value.substring(1)) : value);
            }
            if (statement.execute()) {
                try (ResultSet rows = statement.getResultSet()) {
                    answer = rows.next() ? String.valueOf(rows.getObject(1)) : null;
                }
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException error) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            throw error;
        }
        return answer;
    }

    private static void set(Connection connection, PreparedStatement statement, int n, String type, String value)
            throws SQLException {
        switch (type) {
            case "text" -> statement.setString(n, value);
            case "bigint" -> statement.setLong(n, Long.parseLong(value));
            case "boolean" -> statement.setBoolean(n, Boolean.parseBoolean(value));
            case "uuid" -> statement.setObject(n, UUID.fromString(value));
            case "json" -> {
                PGobject json = new PGobject();
                json.setType("jsonb");
                json.setValue(value);
                statement.setObject(n, json);
            }
            case "interval" -> statement.setObject(n, new PGInterval(0, 0, 0, 0, 0, Integer.parseInt(value)));
            case "text[]" -> statement.setArray(n, connection.createArrayOf("text", strings(connection, value)));
            case "bytea" -> statement.setBytes(n, value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            case "null" -> statement.setNull(n, Types.NULL);
            default -> throw new IllegalArgumentException(type);
        }
    }

    /** Java has no JSON of its own; the server has. */
    private static Object[] strings(Connection connection, String json) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT array_agg(value) FROM jsonb_array_elements_text(?::jsonb)")) {
            statement.setString(1, json);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return (Object[]) rows.getArray(1).getArray();
            }
        }
    }
}
