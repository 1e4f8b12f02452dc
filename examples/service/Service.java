import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** java -cp postgresql.jar Service.java jdbc:postgresql://HOST:PORT/DATABASE?user=… */
public final class Service {
    // RB001: decided from a state that is no more. 40001, 40P01: the server chose another. Begin anew, with the same id.
    private static final Set<String> RETRY = Set.of("RB001", "40001", "40P01");
    private final Connection connection;
    private int sold, full, again, mailed;

    private record Event(long position, String stream, long revision, String type, String data) {}

    private Service(Connection connection) {
        this.connection = connection;
    }

    private PreparedStatement prepare(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
        return statement;
    }

    /** The first row's columns as text, null where there is no row. */
    private String[] ask(String sql, Object... values) throws SQLException {
        try (var statement = prepare(sql, values); var rows = statement.executeQuery()) {
            if (!rows.next()) return null;
            var row = new String[rows.getMetaData().getColumnCount()];
            for (int i = 0; i < row.length; i++) row[i] = rows.getString(i + 1);
            return row;
        }
    }

    private void run(String sql, Object... values) throws SQLException {
        try (var statement = prepare(sql, values)) {
            statement.execute();
        }
    }

    private <T> T transaction(Callable<T> work) throws Exception {
        connection.setAutoCommit(false);
        try {
            T result = work.call();
            connection.commit();
            return result;
        } catch (Exception error) {
            connection.rollback();
            throw error;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private <T> T retrying(Callable<T> work) throws Exception {
        final int attempts = 50;
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction(work);
            } catch (SQLException error) {
                if (!RETRY.contains(error.getSQLState()) || attempt == attempts) throw error;
                again++;
                Thread.sleep(ThreadLocalRandom.current().nextInt(10 * attempt));
            }
        }
    }

    private String register(String venue, String day) throws SQLException {
        String stream = ask("SELECT arbiter.stream_name('show', theatre.show_id(?, ?))", venue, day)[0];
        try {
            run("SELECT arbiter.append('theatre', ?, arbiter.no_stream(), 'ShowAnnounced', '{\"seats\": 20}')", stream);
        } catch (SQLException error) {
            if (!"RB001".equals(error.getSQLState())) throw error; // somebody else has announced it
        }
        return stream;
    }

    private void sell(String stream, String guest) throws Exception {
        UUID command = UUID.randomUUID(); // repeated, it is recognised
        boolean got = retrying(() -> {
            int seats = 0, taken = 0;
            long head = -1;
            try (var load = prepare("SELECT type, data ->> 'seats' AS seats, head FROM arbiter.load_stream('theatre', ?)", stream);
                 ResultSet events = load.executeQuery()) {
                while (events.next()) {
                    if (events.getString("type").equals("ShowAnnounced")) seats = events.getInt("seats");
                    if (events.getString("type").equals("SeatSold")) taken++;
                    head = events.getLong("head");
                }
            }
            if (taken == seats) return false;
            run("SELECT arbiter.append('theatre', ?, ?, 'SeatSold', jsonb_build_object('seat', ?, 'guest', ?::text), id => ?)",
                stream, head, taken + 1, guest, command);
            return true;
        });
        if (got) sold++;
        else full++;
    }

    private int project() throws Exception {
        return transaction(() -> {
            run("SELECT arbiter.lock_entity('consumer-seats')"); // one at a time; advance would tell anyway
            List<Event> events = new ArrayList<>();
            try (var read = prepare("SELECT * FROM arbiter.read_feed('theatre', arbiter.cursor('theatre', 'seats'))");
                 ResultSet rows = read.executeQuery()) {
                while (rows.next())
                    events.add(new Event(rows.getLong("position"), rows.getString("stream"), rows.getLong("revision"),
                                         rows.getString("type"), rows.getString("data")));
            }
            for (Event event : events)
                if (ask("SELECT arbiter.advance('theatre', 'seats', ?, ?)", event.stream, event.revision)[0].equals("t")
                    && event.type.equals("SeatSold"))
                    run("INSERT INTO theatre.seats SELECT ?, (d ->> 'seat')::integer, d ->> 'guest' FROM CAST(? AS jsonb) AS d",
                        event.stream, event.data);
            if (!events.isEmpty())
                run("SELECT arbiter.save_cursor('theatre', 'seats', ?)", events.get(events.size() - 1).position);
            return events.size();
        });
    }

    private void sendMails(String sender) throws SQLException {
        List<String> mails = new ArrayList<>();
        try (var hint = prepare("SELECT stream || '/' || seat FROM theatre.seats"); ResultSet rows = hint.executeQuery()) {
            while (rows.next()) mails.add(rows.getString(1));
        }
        for (String mail : mails) {
            String[] claim = ask("SELECT outcome, token FROM arbiter.claim('theatre', 'mails', ?)", mail);
            if (!claim[0].equals("won")) continue; // committed: from here on it is ours alone
            run("INSERT INTO theatre.outside VALUES (?, ?)", mail, sender);
            run("SELECT arbiter.settle('theatre', 'mails', ?, ?, 'done')", mail, Long.valueOf(claim[1]));
            mailed++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            var service = new Service(connection);
            var streams = new ArrayList<String>();
            for (String[] show : new String[][] {{"Grand Hall", "2027-01-31"}, {"grand hall\t", "2027-02-01"}, {"old mill", "2027-01-31"}})
                streams.add(service.register(show[0], show[1]));
            for (int n = 0; n < 10; n++)
                for (String stream : streams) service.sell(stream, "java " + n);
            while (service.project() > 0) { }
            service.sendMails("java");
            System.out.printf("java: sold %d, full %d, mailed %d, decided again %d%n", service.sold, service.full,
                              service.mailed, service.again);
        }
    }
}
