import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runParties } from '../../tools/first-payment/parties.js';
import type { Stage } from '../../tools/first-payment/test-user.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { silentStage } from './testing/stage.fixture.js';

let stack: StackProcess;
let stage: Stage;

beforeAll(async () => {
  stack = await StackProcess.create('parties', [
    'MOONPAY_LAB_PORT',
    'STRIPE_LAB_PORT',
    'COINBASE_LAB_PORT',
    'TRANSAK_LAB_PORT',
    'ZEROX_LAB_PORT',
    'LIFI_LAB_PORT',
  ]);
  stage = await silentStage(await stack.start());
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

describe('a user of parties with a wire format of their own', () => {
  it('buys tokens from each onramp and converts through each aggregator', async () => {
    const payments = await runParties(stage);
    expect(payments.map(({ status, fulfilled }) => [fulfilled.onramp, status])).toEqual([
      ['moonpay', 'COMPLETE'],
      ['stripe', 'COMPLETE'],
      ['coinbase', 'COMPLETE'],
      ['transak', 'COMPLETE'],
      [undefined, 'COMPLETE'],
      [undefined, 'COMPLETE'],
    ]);
  }, 400_000);
});
