import { startCapturingServer } from '@bascule/testing';
import { toFunctionSelector } from 'viem';

const SELECTORS = {
  quoteExactInput: toFunctionSelector('function quoteExactInput(bytes,uint256)').slice(2),
  quoteExactOutput: toFunctionSelector('function quoteExactOutput(bytes,uint256)').slice(2),
};

/** Node that counts the calls of Uniswap's quoter, and forwards all of its requests to another one. */
export interface CountingNode {
  url: string;
  /** Number of requests; one of them quotes all paths of a conversion. */
  quoterRequests(): Record<keyof typeof SELECTORS, number>;
  stop(): Promise<void>;
}

export async function startCountingNode(rpcUrl: string): Promise<CountingNode> {
  const headers = { 'content-type': 'application/json' };
  const server = await startCapturingServer(async ({ body }) => {
    const response = await fetch(rpcUrl, { method: 'POST', headers, body });
    return { status: response.status, headers, body: await response.text() };
  });
  const count = (selector: string) =>
    server.requests.filter(({ body }) => body.includes(selector)).length;
  return {
    url: server.url,
    quoterRequests: () => ({
      quoteExactInput: count(SELECTORS.quoteExactInput),
      quoteExactOutput: count(SELECTORS.quoteExactOutput),
    }),
    stop: () => server.stop(),
  };
}
