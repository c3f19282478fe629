import { developmentAccounts } from '@bascule/local-stack';
import {
  attesterOracleAbi,
  developmentAddresses,
  fillAttestationTypedData,
  FILL_OUTCOMES,
  intentEscrowAbi,
  orderId,
  refundText,
  type Order,
} from '@bascule/solidity';
import { expect, it } from '@jest/globals';
import { encodeFunctionData, zeroAddress, type Hex, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Chain } from '../../../../tools/first-payment/chain.js';
import { runSilentSolver } from '../../../../tools/first-payment/cross-chain.js';
import { fillersOf, orderStatus } from '../../../../tools/first-payment/intent-orders.js';
import { reaches } from '../../../../tools/first-payment/payments.js';
import { setSolverBehaviour } from '../../../../tools/first-payment/solver.js';
import { verifyCompleted } from '../../../../tools/first-payment/verify-completed.js';
import { parkedBalance } from '../../../../tools/first-payment/withdraw.js';
import { closeWindow } from '../miner.fixture.js';
import {
  sendWithFixedGas,
  transfersTo,
  usdcCall,
  type CrossingStand,
} from './crossing-stand.fixture.js';

/** Tests of the end of the fill window. */
export function deadlines(open: () => CrossingStand): void {
  it('fails when its order stays unfilled despite a lying attester, and its owner is refunded in either way', async () => {
    const stand = open();
    const orders: Order[] = [];
    await runSilentSolver(stand.stage, async (open) => {
      orders.push(...open);
      for (const order of open) await oneAttesterLies(stand.here, order);
      const [last] = [...open].sort((one, other) => Number(other.fillDeadline - one.fillDeadline));
      if (last) await closeWindow(stand.stack.file, last);
    });
    expect(await Promise.all(orders.map((order) => orderStatus(stand.here, order)))).toEqual([
      'REFUNDED',
      'REFUNDED',
    ]);
  }, 400_000);

  it('completes without a refund when its order is filled in the last block of the window', async () => {
    const stand = open();
    const { stage, here, there, alphanet, betanet } = stand;
    const crossed = await stand.confirmed();
    const { payment, user } = crossed;
    await setSolverBehaviour(stage.stack, { mode: 'silent' });
    const order = await stand.funded(crossed);
    const parked = await parkedBalance(stage.api, payment.payment_id, 'INTENT');
    await there.send(there.faucet, usdcCall('approve', escrow, order.inputAmount));
    await betanet.standStill();
    try {
      await sendWithFixedGas(there, there.faucet, fillCall(there, order));
      await betanet.waiting(1);
      await alphanet.passTime(await secondsTo(here, order.fillDeadline + 1n));
      await betanet.mineAt(order.fillDeadline);
      // The owner requests a refund at the same moment, and in the next block.
      await refusesRefund(stand, payment.payment_id, parked.amount);
      await betanet.mine();
      await refusesRefund(stand, payment.payment_id, parked.amount);
    } finally {
      await betanet.goOn();
    }
    expect(await fillersOf(there, order)).toEqual([there.faucet.address]);
    const completed = await reaches(stage.api, payment.payment_id, 'COMPLETE', 180_000);
    await verifyCompleted(stand.chains, completed);
    await refusesRefund(stand, payment.payment_id, parked.amount);
    await expect(refundsItself(here, order, user.owner)).rejects.toThrow('NotRefundable');
    expect(await transfersTo(there, 'USDC', user.destination)).toHaveLength(1);
    // The filler is another account, which has not claimed the order.
    expect(await orderStatus(here, order)).toBe('OPEN');
    await setSolverBehaviour(stage.stack, { mode: 'normal' });
    stand.isComplete(payment);
  }, 400_000);
}

const { intentEscrow: escrow } = developmentAddresses;
const escrowContract = { address: escrow, abi: intentEscrowAbi } as const;

const fillCall = ({ faucet }: Chain, order: Order) => {
  const args = [order, order.minimum, faucet.address] as const;
  return {
    to: escrow,
    data: encodeFunctionData({ abi: intentEscrowAbi, functionName: 'fill', args }),
  };
};

async function secondsTo({ client }: Chain, time: bigint): Promise<number> {
  const { timestamp } = await client.getBlock();
  return Number(time - timestamp);
}

/** Expects a refusal (not refundable, or not confirmed to be), never a text to sign. */
async function refusesRefund({ stage }: CrossingStand, paymentId: string, amount: string) {
  const { status } = await stage.api.request('POST', '/payments/withdraw', {
    body: {
      payment_id: paymentId,
      token_amounts: [{ token: stage.chain.token('USDC'), amount }],
      recipient_address: stage.chain.faucet.address,
      withdraw_account: 'INTENT',
    },
  });
  expect([400, 503]).toContain(status);
}

/** Refunds with the owner's signature, without any service. */
async function refundsItself({ client, faucet }: Chain, order: Order, owner: PrivateKeyAccount) {
  const instruction = {
    recipient: owner.address,
    feeReceiver: zeroAddress,
    fee: 0n,
    validUntil: order.expires * 2n,
  };
  const message = refundText(order, instruction, escrow);
  const args = [order, instruction, await owner.signMessage({ message })] as const;
  const account = faucet.address;
  await client.simulateContract({ ...escrowContract, functionName: 'refund', args, account });
}

/** Signs as one of three attesters, where two are required: for itself, or for an early refund to the owner. */
async function oneAttesterLies(here: Chain, order: Order): Promise<void> {
  const liar = privateKeyToAccount(firstAttesterKey());
  const oracle = { chainId: order.originChainId, oracle: order.oracle };
  const account = here.faucet.address;
  const lies = [
    { outcome: FILL_OUTCOMES.filled, filler: liar.address },
    { outcome: FILL_OUTCOMES.unfilled, filler: zeroAddress },
  ];
  for (const { outcome, filler } of lies) {
    const lie = { orderId: orderId(order, escrow), outcome, filler };
    const signature = await liar.signTypedData(fillAttestationTypedData(lie, oracle));
    for (const signatures of [[signature], [signature, signature]]) {
      const attest = here.client.simulateContract({
        address: order.oracle,
        abi: attesterOracleAbi,
        functionName: 'attest',
        args: [lie.orderId, outcome, filler, signatures],
        account,
      });
      await expect(attest).rejects.toThrow(/TooFewSignatures|UnknownSigner/);
    }
  }
  const args = [order] as const;
  await expect(
    here.client.simulateContract({ ...escrowContract, functionName: 'release', args, account }),
  ).rejects.toThrow('NotFilled');
  expect(await orderStatus(here, order)).toBe('OPEN');
}

function firstAttesterKey(): Hex {
  const found = developmentAccounts.find(({ role }) => role === 'first-attester');
  if (!found) throw new Error('missing attester');
  return found.privateKey;
}
