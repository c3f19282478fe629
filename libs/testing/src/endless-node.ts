import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A node that answers as the one behind it, but never ends its answers to some methods. */
export interface EndlessNode {
  url: string;
  /** Methods whose answers begin and do not end. */
  endless: Set<string>;
  /** Number of answers that were begun and not ended. */
  begun(): number;
  stop(): Promise<void>;
}

const HEADERS = { 'content-type': 'application/json' };

export async function startEndlessNode(behind: string): Promise<EndlessNode> {
  const endless = new Set<string>();
  let begun = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (endless.has((JSON.parse(body) as { method: string }).method)) {
        begun += 1;
        response.writeHead(200, HEADERS);
        // Bytes keep coming, so that no timeout of an idle connection ends it.
        const timer = setInterval(() => response.write(' '), 500);
        response.on('close', () => clearInterval(timer));
        return;
      }
      fetch(behind, { method: 'POST', headers: HEADERS, body })
        .then((answer) => answer.text())
        .then(
          (text) => response.writeHead(200, HEADERS).end(text),
          () => response.writeHead(502).end(),
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    endless,
    begun: () => begun,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
