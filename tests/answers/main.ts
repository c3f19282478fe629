// `npm run openapi:answers` records the answers that the OpenAPI document shows, from a stack of its own.
import { writeFileSync } from 'node:fs';
import type { StackFile } from '@bascule/composition';
import type { ParkedFundsResponse } from '@bascule/contracts';
import { Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { quoteAndConfirm } from '../../tools/first-payment/payments.js';
import { until } from '../../tools/first-payment/polling.js';
import { newTestUserWith } from '../../tools/first-payment/test-user.js';
import { replayExamples } from '../e2e/testing/described-examples.fixture.js';
import { MAIN_ERRORS } from '../e2e/testing/main-errors.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { presentable } from './presentable.js';

interface Recorded {
  success?: unknown;
  error: { status: number; body: unknown };
}

const FILE = new URL('../../tools/openapi/answers.json', import.meta.url);
/** Signed by a provider, so not to be had by a client. */
const CALLBACK_ANSWER = { received: true };

async function record(stack: StackFile): Promise<Record<string, Recorded>> {
  const api = new Api(stack.base_url, stack.keys.secret);
  const chain = new Chain(stack, 'alphanet');
  const replaced = new Map([
    ['https://shop.example/hooks/payments', `${stack.base_url}/health/live`],
  ]);
  const successes = await replayExamples({ api, chain, owner: chain.faucet }, replaced);
  const bodies = new Map<string, unknown>(
    Object.entries(successes).map(([operation, { body }]) => [operation, body]),
  );
  const links = new Api(stack.base_url, null);
  for (const [operation, body] of await parkedPayment({ api, links, chain })) {
    bodies.set(operation, body);
  }
  bodies.set('POST /providers/{name}/callbacks', CALLBACK_ANSWER);

  const recorded: Record<string, Recorded> = {};
  for (const [operation, { path, isKeyless, ...options }] of Object.entries(MAIN_ERRORS)) {
    const [method = ''] = operation.split(' ');
    const { status, body } = await (isKeyless ? links : api).request(method, path, options);
    if (status < 400) throw new Error(`expected an error of ${operation}, found ${status}`);
    const success = bodies.get(operation);
    recorded[operation] = {
      ...(success === undefined || success === '' ? {} : { success }),
      error: { status, body },
    };
  }
  return recorded;
}

/** Opens the link of a payment, then sends too little to it. */
async function parkedPayment({ api, links, chain }: { api: Api; links: Api; chain: Chain }) {
  const usdc = chain.token('USDC');
  const { owner, destination } = await newTestUserWith(chain, usdc, '25');
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: '25' },
    output: chain.token('WETH'),
    owner: owner.address,
    destination,
  });
  const { next_instruction: next } = payment;
  if (!next || !('funding_page_url' in next)) throw new Error('expected a payment with a link');
  const { pathname, search } = new URL(next.funding_page_url);
  const deposit = await links.request('GET', pathname + search);
  await chain.transfer(owner, usdc, depositAddress, await chain.units(usdc, '10'));
  const owned = { owner_address: owner.address };
  const parked = await until('parked funds', async () => {
    const found = await api.post<ParkedFundsResponse>('/payments/issues', owned);
    return found.issues.length > 0 ? found : null;
  });
  return [
    ['GET /funding/{payment_id}', deposit.body],
    ['POST /payments/issues', parked],
  ] as const;
}

const stack = await StackProcess.create('answers');
try {
  const file = await stack.start();
  const answers = presentable(await record(file), file);
  writeFileSync(FILE, `${JSON.stringify(answers, null, 2)}\n`);
} finally {
  await stack.dispose();
}
