import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export class PortInUseError extends Error {
  readonly port: number;

  constructor(port: number, wantedBy: string, setting?: string) {
    const advice = setting ? ` Stop what listens there, or set ${setting} to a free port.` : '';
    super(`port ${port}, wanted by ${wantedBy}, is in use.${advice}`);
    this.name = 'PortInUseError';
    this.port = port;
  }
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

/** Below what systems give to outgoing connections, which would take a port before it is used, or while it is not. */
const [FIRST, END] = [20_000, 32_000];
const ATTEMPTS = 1_000;
const given = new Set<number>();

/** A port nobody listens on now, another one each time; no other process is likely to choose the same. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST, END);
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no port between ${FIRST} and ${END} is free`);
}
