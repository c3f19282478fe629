import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPayment, quoteAndConfirm, reaches } from '../../tools/first-payment/payments.js';
import { newTestUserWith, type TestUser, type Stage } from '../../tools/first-payment/test-user.js';
import { fund } from '../../tools/first-payment/swap.js';
import { verifyCompleted } from '../../tools/first-payment/verify-completed.js';
import { silentStage } from './testing/stage.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const AMOUNT = '25';

let stack: StackProcess;
let stage: Stage;

beforeAll(async () => {
  stack = await StackProcess.create('chain-behind');
  stage = await silentStage(await stack.start());
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

async function confirmSwap() {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, AMOUNT);
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: AMOUNT },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
  });
  return { user, payment, depositAddress };
}

async function complete({ user, payment }: Awaited<ReturnType<typeof confirmSwap>>) {
  await fund(stage, user, payment);
  const completed = await reaches(stage.api, payment.payment_id, 'COMPLETE');
  await verifyCompleted(stage.chain, completed);
}

const endowAgain = async ({ owner }: TestUser) => {
  const usdc = stage.chain.token('USDC');
  await stage.chain.endow(owner.address, usdc, await stage.chain.units(usdc, AMOUNT));
};

describe('a chain that restarts behind the database', () => {
  it('lets open and new payments finish', async () => {
    const chainState = join(stack.directory, 'chains/alphanet.json');
    const backup = join(stack.directory, 'alphanet.backup.json');
    await stack.stop();
    copyFileSync(chainState, backup);
    await stack.start();
    const open = await confirmSwap();
    await complete(await confirmSwap());
    await complete(await confirmSwap());

    await stack.stop();
    copyFileSync(backup, chainState);
    await stack.start();
    await complete(await confirmSwap());
    await endowAgain(open.user);
    const payment = await getPayment(stage.api, open.payment.payment_id);
    expect(payment.status).toBe('PENDING');
    await complete({ ...open, payment });
  }, 480_000);
});
