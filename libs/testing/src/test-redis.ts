import { freePort, startRedis } from '@bascule/local-stack';
import { rmSync } from 'node:fs';
import { testCertificate } from './test-certificate.js';
import { ownDirectory } from './test-directory.js';

export interface TestRedis {
  url: string;
  /** The same server by TLS, with `testCertificate`. */
  tlsUrl: string;
  /** Accepts connections and commands, and never responds. */
  pause(): void;
  resume(): void;
  /** Ends the server; its port stays free for `restart`. */
  away(): Promise<void>;
  restart(): Promise<void>;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/** A real Redis of the test's own, to be paused, ended and restarted. */
export async function testRedis(): Promise<TestRedis> {
  const directory = ownDirectory('test-redis');
  const tlsPort = await freePort();
  const options = {
    directory,
    port: await freePort(),
    tls: { port: tlsPort, ...testCertificate },
  };
  let server = await startRedis(options);
  return {
    url: server.url,
    tlsUrl: `rediss://127.0.0.1:${tlsPort}`,
    pause: () => process.kill(server.pid, 'SIGSTOP'),
    resume: () => process.kill(server.pid, 'SIGCONT'),
    away: () => server.stop(),
    restart: async () => {
      await server.stop();
      server = await startRedis(options);
    },
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
