import { expect } from '@jest/globals';
import type { Payment, PaymentMethodsResponse, Quote } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import type { Api } from '../../../tools/first-payment/api.js';
import { runOnramp } from '../../../tools/first-payment/onramp.js';
import type { Stage } from '../../../tools/first-payment/test-user.js';
import type { StackProcess } from '../../testing/stack-process.fixture.js';
import { apiOf, newOrganisation } from './operators.fixture.js';

const PATIENCE = { timeoutMs: 20_000 };

const bySwift = (quotes: Quote[]) => quotes.find(({ onramp_method }) => onramp_method === 'SWIFT');

/** Pays by SWIFT once the operator enables it for the keys of the stack; disables it again. */
export async function runSwift(stage: Stage, stack: StackProcess): Promise<Payment> {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const offers = async (asking: Api): Promise<boolean> => {
    const query = { input: 'usd', output: usdc };
    const { providers } = await asking.get<PaymentMethodsResponse>('/payments/methods', query);
    return Object.values(providers).flat().includes('SWIFT');
  };
  const listed = await stack.operator(
    'keys',
    'list',
    '--organisation',
    stage.stack.organisation_id,
  );
  const keySet = /set (\S+)/.exec(listed)?.[1] ?? '';
  const enable = (methods: string) =>
    stack.operator('keys', 'methods', '--key-set', keySet, '--methods', methods);

  expect(await offers(api)).toBe(false);
  await enable('SWIFT');
  await eventually(async () => expect(await offers(api)).toBe(true), PATIENCE);
  const { secret } = await newOrganisation(stack);
  expect(await offers(apiOf(stack, secret))).toBe(false);
  const payment = await runOnramp(stage, 'USDC', bySwift);
  await enable('none');
  await eventually(async () => expect(await offers(api)).toBe(false), PATIENCE);
  return payment;
}
