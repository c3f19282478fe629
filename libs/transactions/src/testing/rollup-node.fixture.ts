import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hexToBigInt, numberToHex, parseTransaction, type Hex } from 'viem';

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

export interface RollupNode {
  url: string;
  /** Gas charged in addition to the execution. */
  surcharge: bigint;
  /** Number of transactions refused as underpriced. */
  refused: number;
  stop(): Promise<void>;
}

const TRANSFER_GAS = 21_000n;

/** Proxies a node and charges gas for data of the parent chain, as some rollups do. */
export async function startRollupNode(behind: string): Promise<RollupNode> {
  const node = { surcharge: 0n, refused: 0 };

  async function forward(body: string): Promise<{ result?: Hex }> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(behind, { method: 'POST', headers, body });
    return (await response.json()) as { result?: Hex };
  }

  async function answer(body: string): Promise<object> {
    const { id, method, params } = JSON.parse(body) as Call;
    if (method === 'eth_sendRawTransaction') {
      const { gas = 0n } = parseTransaction(params[0] as Hex);
      if (gas < TRANSFER_GAS + node.surcharge) {
        node.refused += 1;
        return { jsonrpc: '2.0', id, error: { code: -32000, message: 'intrinsic gas too low' } };
      }
    }
    const given = await forward(body);
    if (method !== 'eth_estimateGas' || given.result === undefined) return given;
    return { ...given, result: numberToHex(hexToBigInt(given.result) + node.surcharge) };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer(Buffer.concat(chunks).toString('utf8')).then(
        (body) => response.end(JSON.stringify(body)),
        () => response.writeHead(502).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(node, {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
