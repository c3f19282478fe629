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

function tryListen(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

export async function isPortFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== null;
}

/** A port nobody listens on now; somebody else may take it before it is used. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === null) throw new Error('the system offers no free port');
  return port;
}
