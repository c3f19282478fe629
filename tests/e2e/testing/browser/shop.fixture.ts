import { freePort } from '@bascule/testing';
import { build } from 'esbuild';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('page/main.page.ts', import.meta.url));

const HTML = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/shop.js"></script></head><body></body></html>`;

/** A web server with the page of an integrator, whose scripts may call the API and nothing else. */
export class ShopServer {
  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async start(apiUrl: string): Promise<ShopServer> {
    const script = await bundled(apiUrl);
    const policy = `default-src 'none'; script-src 'self'; connect-src ${apiUrl}`;
    const server = createServer(({ url = '' }, response) => {
      if (url === '/shop.js') send(response, 'text/javascript', script);
      else if (url.startsWith('/?')) {
        response.setHeader('content-security-policy', policy);
        send(response, 'text/html', HTML);
      } else response.writeHead(404).end();
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new ShopServer(server, port);
  }

  /** Two origins that lead here, since browsers compare names. */
  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  get otherOrigin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
}

async function bundled(apiUrl: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    define: { API_URL: JSON.stringify(apiUrl) },
  });
  const [script] = outputFiles;
  if (!script) throw new Error('expected one bundled script');
  return script.text;
}
