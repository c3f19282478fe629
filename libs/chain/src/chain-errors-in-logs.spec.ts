import { createLogger } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { ContractFunctionExecutionError, HttpRequestError, erc20Abi } from 'viem';

const ENDPOINT = 'https://alphanet.rpc.example/v2/the-key-of-this-deployment';

describe('an error of an RPC endpoint', () => {
  it('is logged without the API key of the URL, also as the cause of another error', () => {
    const failed = new HttpRequestError({
      url: ENDPOINT,
      body: { method: 'eth_call' },
      details: `fetch failed: ${ENDPOINT}`,
      cause: new Error(`connect ${ENDPOINT}`),
    });
    const called = new ContractFunctionExecutionError(failed, {
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: ['0x0000000000000000000000000000000000000001'],
    });
    const err = new Error('the chain cannot be read', { cause: called });
    const lines: string[] = [];
    const logger = createLogger(
      { service: 'test', level: 'info' },
      { write: (line) => lines.push(line) },
    );
    logger.warn({ err }, 'balances cannot be read');
    logger.warn(failed);
    for (const line of lines) {
      expect(line).toContain('https://alphanet.rpc.example');
      expect(line).not.toContain('the-key');
    }
    expect(lines).toHaveLength(2);
  });
});
