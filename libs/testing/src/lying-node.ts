import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcCall {
  id: number;
  method: string;
  params: unknown[];
}

/** Result or error of a JSON-RPC answer. */
export interface RpcAnswer {
  result?: unknown;
  error?: { code: number; message: string };
}

/** Answers a call in place of the node; `honest` asks it. */
export type Lie = (call: RpcCall, honest: () => Promise<RpcAnswer>) => Promise<RpcAnswer>;

/** Sends the text of an answer in a way of its own. */
export type Sender = (text: string, response: ServerResponse, call: RpcCall) => void;

/** A node that answers as the one behind it, but for the methods that it lies about. */
export interface LyingNode {
  url: string;
  /** By method. */
  lies: Map<string, Lie>;
  /** By method. */
  senders: Map<string, Sender>;
  /** Number of requests by method. */
  requests: Map<string, number>;
  stop(): Promise<void>;
}

export async function startLyingNode(behind: string): Promise<LyingNode> {
  const lies = new Map<string, Lie>();
  const senders = new Map<string, Sender>();
  const requests = new Map<string, number>();

  async function answer(body: string, response: ServerResponse): Promise<void> {
    const call = JSON.parse(body) as RpcCall;
    requests.set(call.method, (requests.get(call.method) ?? 0) + 1);
    const honest = async (): Promise<RpcAnswer> => {
      const headers = { 'content-type': 'application/json' };
      const found = await fetch(behind, { method: 'POST', headers, body });
      return (await found.json()) as RpcAnswer;
    };
    const given = await (lies.get(call.method)?.(call, honest) ?? honest());
    const text = JSON.stringify({ ...given, jsonrpc: '2.0', id: call.id });
    const send = senders.get(call.method) ?? (() => response.end(text));
    send(text, response, call);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer(Buffer.concat(chunks).toString('utf8'), response).catch(() => {
        response.writeHead(502).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lies,
    senders,
    requests,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
