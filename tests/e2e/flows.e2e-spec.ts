import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { playOnramps } from '../../tools/first-payment/onramp.js';
import type { Stage } from '../../tools/first-payment/player.js';
import { playRecoveries } from '../../tools/first-payment/recover.js';
import { playSwaps } from '../../tools/first-payment/swap.js';
import { playAddedAsset } from './testing/added-asset.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

let stack: StackProcess;
let stage: Stage;

beforeAll(async () => {
  stack = await StackProcess.create('flows');
  stage = await silentStage(await stack.start());
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

// The scenarios assert by themselves: they compare every response with the chain.
describe('a user', () => {
  it('swaps tokens and native currency, and transfers', async () => {
    await expect(playSwaps(stage)).resolves.toBeUndefined();
  }, 400_000);

  it('buys tokens with fiat, converted where needed', async () => {
    await expect(playOnramps(stage)).resolves.toBeUndefined();
  }, 400_000);

  it('recovers from an underpayment and a failed conversion', async () => {
    await expect(playRecoveries(stage)).resolves.toBeUndefined();
  }, 400_000);

  it('pays with a newly added token and withdraws it', async () => {
    await expect(playAddedAsset(stage, stack)).resolves.toBeUndefined();
  }, 300_000);
});
