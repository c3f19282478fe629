import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Chains, parseChainsConfig } from '@bascule/chain';
import type { PaymentPlan, QuoteRequest } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QuoteConfig } from '../config/quote.config.js';
import { NATIVE, USDC } from '../testing/catalogue-feed.fixture.js';
import { PayoutChecksService } from './payout-checks.service.js';

const request: QuoteRequest = {
  request: {
    kind: 'FIXED_OUTPUT',
    fixed_output_amount: { asset: NATIVE, amount: '1' },
    input_asset: USDC,
    dest_address: '0x2222222222222222222222222222222222222222',
  },
};

describe('PayoutChecksService.check', () => {
  let node: Server;
  let service: PayoutChecksService;
  const asked: string[] = [];

  beforeAll(async () => {
    node = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          id: number;
          method: string;
        };
        asked.push(method);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x' }));
      });
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const { port } = node.address() as AddressInfo;
    const chains = new Chains(
      parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: `http://127.0.0.1:${port}` }),
    );
    const context = new ServiceContext({ name: 'quote', environment: 'test', logLevel: 'fatal' });
    const config: Partial<QuoteConfig> = { chainTimeoutMs: 60_000 };
    service = new PayoutChecksService(chains, context, config as QuoteConfig);
  });
  afterAll(() => {
    node.close();
  });

  const planned = (payment_id: string, min_output: string) => {
    const leg = {
      ...{ chain: 'alphanet', input_token: USDC, input_amount: '1', max_input: '1', fees: [] },
      ...{ output_token: NATIVE, output_amount: min_output, min_output },
    };
    const plan: PaymentPlan = {
      funding: { kind: 'token' },
      deposit: { token: USDC, required_amount: '1' },
      legs: [leg],
    };
    return { quote: { payment_id }, plan };
  };

  it('simulates equal payouts of a request once', async () => {
    const quotes = [planned('one', '5'), planned('two', '5'), planned('three', '6')];
    expect(await service.check(quotes, request)).toEqual({ passed: quotes, failures: [] });
    expect(asked).toEqual(['eth_call', 'eth_call']);
    // Later requests see the chain's later state.
    await service.check(quotes, request);
    expect(asked).toHaveLength(4);
  });
});
