import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

export class PortInUseError extends Error {
  readonly port: number;

  constructor(port: number, wantedBy: string, setting?: string) {
    const advice = setting ? ` Stop what listens there, or set ${setting} to a free port.` : '';
    super(`port ${port}, wanted by ${wantedBy}, is in use.${advice}`);
    this.name = 'PortInUseError';
    this.port = port;
  }
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = await listenAt(port);
  if (server === null) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Ports below the ephemeral range, from which systems serve outgoing connections. */
const RESERVED_BLOCKS = { first: 20_000, end: 22_000, size: 64 };
const SINGLE_PORTS = { first: 22_000, slice: 1_000, slices: 10 };
const ATTEMPTS = 1_000;
const given = new Set<number>();

/**
 * Returns a free port, another one each time. Each Jest worker draws from a slice of its own: `FREE_PORT_SLICE`, which
 * differs between test runs at the same time, plus the worker's number.
 */
export async function freePort(): Promise<number> {
  const { slice, slices } = SINGLE_PORTS;
  const { FREE_PORT_SLICE = '0', JEST_WORKER_ID = '0' } = process.env;
  const index = (Number(FREE_PORT_SLICE) + Number(JEST_WORKER_ID)) % slices;
  const first = SINGLE_PORTS.first + index * slice;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(first, first + slice);
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no port between ${first} and ${first + slice} is free`);
}

export interface ReservedPorts {
  ports: readonly number[];
  release(): void;
}

/**
 * Reserves consecutive ports against every other process that reserves some.
 * A listening socket in front of them holds the reservation, so it ends with the process.
 */
export async function reservePorts(count: number): Promise<ReservedPorts> {
  const { first, end, size } = RESERVED_BLOCKS;
  if (count >= size) throw new Error(`at most ${size - 1} ports can be reserved, not ${count}`);
  const blocks = Math.floor((end - first) / size);
  const offset = randomInt(blocks);
  for (let step = 0; step < blocks; step += 1) {
    const start = first + ((offset + step) % blocks) * size;
    const lock = await listenAt(start);
    if (lock === null) continue;
    const ports = Array.from({ length: count }, (_, index) => start + 1 + index);
    const free = await Promise.all(ports.map(isPortFree));
    if (free.every(Boolean)) return { ports, release: () => void lock.close() };
    lock.close();
  }
  throw new Error(`no block of ${count} ports between ${first} and ${end} is free`);
}

/** Listens on the port without keeping the process alive; null when the port is in use. */
function listenAt(port: number): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}
