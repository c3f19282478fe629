import type { Server } from 'node:http';

/**
 * Binds a server.
 * @throws the error of the bind, such as `EADDRINUSE`
 */
export const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
