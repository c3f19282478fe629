import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ErrorBody,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { deployAccountFactory, eventually } from '@bascule/testing';
import type { AccountFactory } from '@bascule/testing';
import { serializeErc6492Signature, parseErc6492Signature } from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { ETHER, RELAYER, USDC, startStage } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

/** Loops for about 1,000,000 gas, then accepts every payment and every signature (ERC-1271). */
const EXPENSIVE = '0x6200a0005b6001900380600457631626ba7e60e01b60005260206000f3';
/** Loops for about 100,000 gas likewise. */
const MODERATE = '0x62000f005b6001900380600457631626ba7e60e01b60005260206000f3';

const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stage: Stage;
let factory: AccountFactory;

beforeAll(async () => {
  stage = await startStage();
  factory = await deployAccountFactory(stage.rpcUrl);
}, 120_000);
afterEach(() => {
  stage.interceptNode();
});
afterAll(() => stage.stop());

async function contractOf(code: Hex): Promise<Address> {
  const address = anAddress();
  await stage.setCode(address, code);
  return address;
}

interface Asked {
  payment: TestPayment;
  answer: WithdrawResponse;
}

async function ask(
  ownedBy: string,
  recipient: string,
  [token, amount]: [TokenIdentifier, string] = [USDC, '100'],
): Promise<Asked> {
  const payment = aPayment(ownedBy, { status: 'FAILED' });
  await stage.publish('payment', 'payment.failed', payment.id, payment.state);
  await stage.fund(token, payment.wallet, token === USDC ? 100_000_000n : 10n ** 16n);
  const { body } = await stage.call<WithdrawResponse>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token, amount }],
    recipient_address: recipient,
  });
  return { payment, answer: body };
}

const sign = ({ withdraw_authorization: text }: WithdrawResponse, key = owner) =>
  key.signTypedData(JSON.parse(text) as Parameters<typeof key.signTypedData>[0]);

const confirm = ({ state_token }: WithdrawResponse, signature: Hex) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token,
    signature,
    polling_timeout: 30_000,
  });

const relayed = () => stage.client.getTransactionCount({ address: RELAYER });

const refused = {
  status: 400,
  body: {
    errors: [{ kind: 'other', message: expect.stringContaining('needs more gas than') as unknown }],
  },
  sent: 0,
};

/** Answer of the confirmation, with the number of transactions that it sent. */
async function outcomeOf({ answer }: Asked, signature: Hex) {
  const before = await relayed();
  const { status, body } = await confirm(answer, signature);
  return { status, body, sent: (await relayed()) - before };
}

async function succeedsDirectly({ payment, answer }: Asked, signature: Hex): Promise<void> {
  await stage.submitDirectly(payment, answer.withdraw_authorization, signature);
  await eventually(async () => {
    const path = `/payments/withdraw/status?withdraw_id=${answer.withdraw_id}`;
    expect((await stage.call<WithdrawalStatusResponse>(path)).body.status).toBe('SUCCESS');
  });
}

const gasLimitOf = async ({ body }: { body: WithdrawalStatusResponse }) => {
  const hash = body.transaction_hash as Hex;
  return Number((await stage.client.getTransaction({ hash })).gas);
};

describe('a withdrawal that uses more gas than its fee pays for', () => {
  it('to a recipient of native currency is refused, and can be submitted without the service', async () => {
    const asked = await ask(owner.address, await contractOf(EXPENSIVE), [ETHER, '0.01']);
    const signature = await sign(asked.answer);
    expect(await outcomeOf(asked, signature)).toMatchObject(refused);
    await succeedsDirectly(asked, signature);
  });

  it('is refused for an owner that is a contract', async () => {
    const asked = await ask(await contractOf(EXPENSIVE), anAddress());
    expect(await outcomeOf(asked, '0x1234')).toMatchObject(refused);
    await succeedsDirectly(asked, '0x1234');
  });

  it('in the call that prepares an owner’s account is refused', async () => {
    const key = privateKeyToAccount(generatePrivateKey());
    await factory.deploy(key.address);
    const asked = await ask(await factory.accountOf(key.address), anAddress());
    const signature = serializeErc6492Signature({
      address: await contractOf(EXPENSIVE),
      data: '0x',
      signature: await sign(asked.answer, key),
    });
    expect(await outcomeOf(asked, signature)).toMatchObject(refused);
  });
});

describe('a withdrawal that its fee and the allowances pay for', () => {
  it('reaches a recipient with code, under a bounded gas limit', async () => {
    const { answer } = await ask(owner.address, await contractOf(MODERATE), [ETHER, '0.01']);
    const confirmed = await confirm(answer, await sign(answer));
    expect(confirmed.body.status).toBe('SUCCESS');
    expect(await gasLimitOf(confirmed)).toBeLessThanOrEqual(600_000);
  });

  it('deploys the owner’s account (ERC-6492)', async () => {
    const key = privateKeyToAccount(generatePrivateKey());
    const { answer } = await ask(await factory.accountOf(key.address), anAddress());
    const deployed = factory.undeployed(key, await sign(answer, key));
    expect(parseErc6492Signature(deployed).address).toBeDefined();
    const confirmed = await confirm(answer, deployed);
    expect(confirmed.body.status).toBe('SUCCESS');
    expect(await gasLimitOf(confirmed)).toBeLessThanOrEqual(1_100_000);
  });
});

describe('the gas limit of a withdrawal', () => {
  it('holds for code that uses more than was estimated', async () => {
    const { answer } = await ask(owner.address, await contractOf(EXPENSIVE), [ETHER, '0.01']);
    let estimates = 0;
    // As if the code had depended on the block of the first estimate.
    stage.interceptNode(({ id, method }) => {
      if (method !== 'eth_estimateGas' || estimates > 0) return null;
      estimates += 1;
      const body = JSON.stringify({ jsonrpc: '2.0', id, result: '0x30d40' });
      return { headers: { 'content-type': 'application/json' }, body };
    });
    const before = await relayed();
    expect((await confirm(answer, await sign(answer))).status).toBe(400);
    expect(estimates).toBe(1);
    expect(await relayed()).toBe(before);
  });

  it('holds while the node cannot estimate: the client is asked to try again', async () => {
    const asked = await ask(owner.address, await contractOf(EXPENSIVE), [ETHER, '0.01']);
    const signature = await sign(asked.answer);
    // Only the first estimate fails, retries of the client included.
    let isDown = true;
    stage.interceptNode(({ method }) =>
      isDown && method === 'eth_estimateGas' ? { status: 503 } : null,
    );
    const before = await relayed();
    expect((await confirm(asked.answer, signature)).status).toBe(503);
    isDown = false;
    expect(await outcomeOf(asked, signature)).toMatchObject(refused);
    expect(await relayed()).toBe(before);
  });
});
