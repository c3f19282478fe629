import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPayment, quoteAndConfirm, reaches } from '../../tools/first-payment/payments.js';
import { newPlayerWith, type Player, type Stage } from '../../tools/first-payment/player.js';
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
  const player = await newPlayerWith(chain, usdc, AMOUNT);
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: AMOUNT },
    output: chain.token('WETH'),
    owner: player.owner.address,
    destination: player.destination,
  });
  return { player, payment, depositAddress };
}

async function complete({ player, payment }: Awaited<ReturnType<typeof confirmSwap>>) {
  await fund(stage, player, payment);
  const completed = await reaches(stage.api, payment.payment_id, 'COMPLETE');
  await verifyCompleted(stage.chain, completed);
}

const endowAgain = async ({ owner }: Player) => {
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
    await endowAgain(open.player);
    const payment = await getPayment(stage.api, open.payment.payment_id);
    expect(payment.status).toBe('PENDING');
    await complete({ ...open, payment });
  }, 480_000);
});
