import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;

/** Lets the driver, which knows TCP only, reach a server that listens on a socket in the file system. */
public final class SocketFile extends SocketFactory {
    private final String path;

    public SocketFile(String path) {
        this.path = path;
    }

    @Override
    public Socket createSocket() {
        return new Connection();
    }

    @Override
    public Socket createSocket(String host, int port) {
        return new Connection();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        return new Connection();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return new Connection();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        return new Connection();
    }

    private final class Connection extends Socket {
        private SocketChannel channel;

        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(path));
        }

        @Override
        public InputStream getInputStream() {
            return Channels.newInputStream(channel);
        }

        @Override
        public OutputStream getOutputStream() {
            return Channels.newOutputStream(channel);
        }

        @Override
        public boolean isConnected() {
            return channel != null && channel.isConnected();
        }

        @Override
        public synchronized void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
        }

        // Options of TCP.
        @Override
        public void setTcpNoDelay(boolean on) {}

        @Override
        public void setKeepAlive(boolean on) {}

        @Override
        public void setSoTimeout(int timeout) {}

        @Override
        public int getSoTimeout() {
            return 0;
        }
    }
}
