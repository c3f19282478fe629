import type { Payment, Verification, VerificationReason } from '@bascule/contracts';
import { deployAccountFactory, eventually } from '@bascule/testing';
import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Address, PrivateKeyAccount } from 'viem';
import { openLink, type Answer } from '../../tools/first-payment/api.js';
import { reaches } from '../../tools/first-payment/payments.js';
import { until } from '../../tools/first-payment/polling.js';
import { newTestUser } from '../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../tools/first-payment/verify-completed.js';
import { signTypedData } from '../../tools/first-payment/withdraw.js';
import { Miner } from '../e2e/testing/miner.fixture.js';
import { strangersCall } from '../e2e/testing/strangers-call.fixture.js';
import { errorsOf, PATIENCE, type ContractStage, type Row, type Rows } from './contract-stage.js';

const SHOP = 'https://shop.example';
/** Blocks above that of a deposit which confirm it on the stack's chains. */
const CONFIRMING_BLOCKS = 1;

/** Fields of both forms of `POST /payments/confirm`. */
type ConfirmField =
  | 'payment_id'
  | 'state_token'
  | 'owner_address'
  | 'destination_address'
  | 'owner_chain'
  | 'client_redirect_url'
  | 'client_redirect_after'
  | 'payment_expiration_minutes'
  | 'allow_unsafe_owner'
  | 'simulate_withdrawal'
  | 'verification_token'
  | 'signatures';

const verificationsOf = (payment: Payment) => {
  const next = payment.next_instruction;
  if (next?.type !== 'USER_VERIFY') throw new Error(`${payment.status}: nothing to sign`);
  return next;
};

const signedBy =
  (owner: PrivateKeyAccount) =>
  async ({ reason, signature_type, payload }: Verification) => ({
    ...{ reason, signature_type },
    signature: await (signature_type === 'EIP712'
      ? signTypedData(owner, payload)
      : owner.signMessage({ message: payload })),
  });

/** Unconfirmed payment of 500 US dollars by a new owner. */
async function unconfirmed(stage: ContractStage, fields: object = {}) {
  const { owner } = newTestUser();
  const payment = await stage.payment(stage.transfer('500'), {
    owner_address: owner.address,
    ...fields,
  });
  expect(payment.status).toBe('UNCONFIRMED');
  return { owner, payment, signed: signedBy(owner) };
}

const BOTH_ROUNDS: VerificationReason[] = ['EVM_OWNER', 'EVM_WITHDRAWAL'];

/** Row that continues round by round, each first with a stranger's signature for every reason. */
const verifiedIn =
  (...rounds: VerificationReason[][]): Row =>
  async (stage) => {
    const { payment, signed } = await unconfirmed(stage, { simulate_withdrawal: true });
    const strange = signedBy(newTestUser().owner);
    let last = payment;
    for (const [index, round] of rounds.entries()) {
      expect(last.status).toBe('UNCONFIRMED');
      const { verification_token, verifications } = verificationsOf(last);
      expect(verifications.map(({ reason }) => reason)).toEqual(
        BOTH_ROUNDS.filter((reason) => rounds.slice(index).flat().includes(reason)),
      );
      const asked = verifications.filter(({ reason }) => round.includes(reason));
      const answer = async (wrong?: Verification) => {
        const sign = (each: Verification) => (each === wrong ? strange(each) : signed(each));
        return stage.confirm({
          verification_token,
          signatures: await Promise.all(asked.map(sign)),
        });
      };
      for (const wrong of asked) expect((await answer(wrong)).status).toBe(401);
      const { status, body } = await answer();
      expect(status).toBe(200);
      last = body as Payment;
    }
    expect([last.status, last.payment_id]).toEqual(['PENDING', payment.payment_id]);
  };

/** Confirms with a redirect, opens the checkout as a customer, and returns to our link. */
async function comeBack(stage: ContractStage, fields: object) {
  const payment = await stage.payment(stage.purchase(), {
    client_redirect_url: `${SHOP}/done`,
    ...fields,
  });
  const next = payment.next_instruction;
  if (next?.type !== 'ONRAMP') throw new Error('expected a funding instruction');
  const opened = await openLink(next.funding_page_url);
  const checkout = opened.headers.get('location') ?? '';
  const page = await (await fetch(checkout)).text();
  const link = /id="return" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const pay = async (): Promise<void> => {
    await fetch(`${checkout}/pay`, { method: 'POST', redirect: 'manual' });
  };
  return { payment, link, pay, visit: () => openLink(link) };
}

const redirects = async (visit: () => Promise<Answer>): Promise<void> =>
  eventually(async () => {
    const answer = await visit();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${SHOP}/done`]);
  }, PATIENCE);

const shows = async (visit: () => Promise<Answer>, message: string): Promise<void> =>
  eventually(async () => {
    const answer = await visit();
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(message);
  }, PATIENCE);

/** Row that checks the way back once the deposit is confirmed, while no block is mined for the delivery. */
const afterDeposit =
  (after: string, check: (visit: () => Promise<Answer>) => Promise<void>): Row =>
  async (stage) => {
    await stage.registerOrigin(SHOP);
    const { payment, visit, pay } = await comeBack(stage, { client_redirect_after: after });
    await shows(visit, 'The payment has not arrived yet.');
    const wallet = payment.processing_addresses[0]?.address as Address;
    const miner = new Miner(stage.file, stage.chain.name);
    await miner.standStill();
    try {
      await pay();
      await until('the deposit', async () => {
        await miner.waiting(1);
        await miner.mine();
        return (await stage.chain.balance(stage.token('USDC'), wallet)) > 0n ? true : null;
      });
      await miner.mine(CONFIRMING_BLOCKS);
      await check(visit);
    } finally {
      await miner.goOn();
    }
    await redirects(visit);
  };

/** Rows of `POST /payments/confirm`: every field of its two forms, and every value of its enums. */
export const CONFIRM_ROWS = {
  payment_id: {
    'chooses one quote': async (stage) => {
      const body = await stage.confirmation(stage.swap());
      const { status, body: payment } = await stage.confirm(body);
      expect([status, (payment as Payment).payment_id]).toEqual([200, body['payment_id']]);
      expect((await stage.confirm(body)).status).toBe(409);
    },
    'is not found when the token has no such quote': async (stage) => {
      const body = await stage.confirmation(stage.swap(), { payment_id: uuidv7() });
      expect((await stage.confirm(body)).status).toBe(404);
    },
  },
  state_token: {
    'is refused when altered, and forbidden to another organisation': async (stage) => {
      const body = await stage.confirmation(stage.swap());
      const altered = { ...body, state_token: `${String(body['state_token'])}x` };
      expect((await stage.confirm(altered)).status).toBe(400);
      expect((await stage.confirm(body, stage.other)).status).toBe(403);
    },
  },
  owner_address: {
    'is declared': async (stage) => {
      const { owner } = newTestUser();
      const payment = await stage.payment(stage.swap(), { owner_address: owner.address });
      expect([payment.owner_address, payment.declaration.owner]).toEqual([
        owner.address,
        owner.address,
      ]);
    },
  },
  destination_address: {
    'is declared': async (stage) => {
      const { destination } = newTestUser();
      const payment = await stage.payment(stage.swap(), { destination_address: destination });
      expect([payment.destination_address, payment.declaration.destination]).toEqual([
        destination,
        destination,
      ]);
    },
  },
  owner_chain: {
    'is shown, and the chain of the deposit by default': async (stage) => {
      const named = await stage.payment(stage.swap(), { owner_chain: 'betanet' });
      expect(named.owner_chain).toBe('betanet');
      expect((await stage.payment(stage.swap())).owner_chain).toBe('alphanet');
    },
    'is where an owner that is a contract verifies its signature': async (stage) => {
      const factory = await deployAccountFactory(stage.file.chains['betanet']?.rpc_url ?? '');
      const { owner: key } = newTestUser();
      const owner_address = await factory.accountOf(key.address);
      const continued = async (fields: object) => {
        // The account cannot be deployed on the chain of the deposit.
        const { payment } = await unconfirmed(stage, {
          ...{ owner_address, allow_unsafe_owner: true },
          ...fields,
        });
        const { verification_token, verifications } = verificationsOf(payment);
        const signatures = await Promise.all(
          verifications.map(async ({ reason, payload }) => {
            const signature = await key.signMessage({ message: payload });
            return { reason, signature: factory.undeployed(key, signature) };
          }),
        );
        return (await stage.confirm({ verification_token, signatures })).status;
      };
      expect(await continued({})).toBe(401);
      expect(await continued({ owner_chain: 'betanet' })).toBe(200);
    },
    'is a known chain': async (stage) => {
      const answer = await stage.confirm(
        await stage.confirmation(stage.swap(), { owner_chain: 'nochain' }),
      );
      expect([answer.status, errorsOf(answer)[0]?.path]).toEqual([400, ['owner_chain']]);
    },
  },
  client_redirect_url: {
    'needs a click while its origin is not registered': async (stage) => {
      const { payment, link, visit } = await comeBack(stage, {
        client_redirect_url: 'https://stranger.example/done',
      });
      expect(payment.client_redirect_url).toBe('https://stranger.example/done');
      expect(link).toContain(`/funding/${payment.payment_id}/return?token=`);
      const answer = await visit();
      expect(answer.status).toBe(200);
      expect(answer.body).toContain('Continue to stranger.example');
    },
    'is redirected to when its origin is registered': async (stage) => {
      await stage.registerOrigin(SHOP);
      await redirects((await comeBack(stage, {})).visit);
    },
    'has no scheme that runs code': async (stage) => {
      const answer = await stage.confirm(
        await stage.confirmation(stage.swap(), { client_redirect_url: 'javascript:alert(1)' }),
      );
      expect([answer.status, errorsOf(answer)[0]?.path]).toEqual([400, ['client_redirect_url']]);
    },
  },
  client_redirect_after: {
    'FUNDED redirects before the delivery': afterDeposit('FUNDED', redirects),
    'COMPLETED waits for the delivery': afterDeposit('COMPLETED', (visit) =>
      shows(visit, 'The payment has arrived and is being delivered.'),
    ),
    'needs client_redirect_url': async (stage) => {
      const body = await stage.confirmation(stage.swap(), { client_redirect_after: 'FUNDED' });
      const answer = await stage.confirm(body);
      expect([answer.status, errorsOf(answer)[0]?.path]).toEqual([400, ['client_redirect_after']]);
    },
  },
  payment_expiration_minutes: {
    'sets the deadline of funding': async (stage) => {
      const minutes = async (fields: object) => {
        const { initiate_fund_by, created_at } = await stage.payment(stage.swap(), fields);
        return Math.round((Date.parse(initiate_fund_by) - Date.parse(created_at)) / 60_000);
      };
      expect(await minutes({ payment_expiration_minutes: 3 })).toBe(3);
      expect(await minutes({})).toBe(10);
    },
  },
  allow_unsafe_owner: {
    'accepts a contract that cannot sign': async (stage) => {
      const owner_address = stage.token('WBTC').split(':')[1];
      const refused = await stage.confirm(
        await stage.confirmation(stage.swap(), { owner_address }),
      );
      expect([refused.status, errorsOf(refused)[0]]).toEqual([
        400,
        expect.objectContaining({ kind: 'owner', mitigation: 'change' }),
      ]);
      const fields = { owner_address, allow_unsafe_owner: true };
      expect((await stage.payment(stage.swap(), fields)).status).toBe('PENDING');
    },
  },
  simulate_withdrawal: {
    'asks the owner for a withdrawal of the payment': async (stage) => {
      const payment = await stage.payment(stage.swap(), { simulate_withdrawal: true });
      expect(payment.status).toBe('UNCONFIRMED');
      expect(verificationsOf(payment).verifications).toEqual([
        expect.objectContaining({ reason: 'EVM_WITHDRAWAL', signature_type: 'EIP712' }),
      ]);
    },
    'the signed withdrawal moves nothing, and the payment runs to its end': async (stage) => {
      const { chain, secret: api } = stage;
      const { payment, signed } = await unconfirmed(stage, {
        simulate_withdrawal: true,
        destination_address: newTestUser().destination,
      });
      const { verification_token, verifications } = verificationsOf(payment);
      const signatures = await Promise.all(verifications.map(signed));
      const { status, body } = await stage.confirm({ verification_token, signatures });
      expect([status, (body as Payment).status]).toEqual([200, 'PENDING']);

      const usdc = stage.token('USDC');
      const wallet = payment.processing_addresses[0]?.address as Address;
      const pay = async (amount: string) =>
        chain.transfer(chain.faucet, usdc, wallet, await chain.units(usdc, amount));
      await pay('200');
      const { payload = '' } = verifications[1] ?? {};
      const { signature = '0x' } = signatures[1] ?? {};
      await chain.send(chain.faucet, strangersCall(payment, payload, signature, wallet));
      expect(await chain.balance(usdc, wallet)).toBe(await chain.units(usdc, '200'));
      await pay('300');
      const completed = await reaches(api, payment.payment_id, 'COMPLETE');
      await verifyCompleted(chain, completed);
      expect(completed.withdrawals).toBeNull();
    },
  },
  verification_token: {
    'continues the confirmation of its organisation only': async (stage) => {
      const { payment, signed } = await unconfirmed(stage);
      const { verification_token, verifications } = verificationsOf(payment);
      const signatures = await Promise.all(verifications.map(signed));
      const altered = { verification_token: `${verification_token}x`, signatures };
      expect((await stage.confirm(altered)).status).toBe(400);
      const body = { verification_token, signatures };
      expect((await stage.confirm(body, stage.other)).status).toBe(403);
      expect(await stage.confirm(body)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
      expect((await stage.confirm(body)).status).toBe(409);
    },
  },
  signatures: {
    'EVM_OWNER by EIP-191 verifies an owner once': async (stage) => {
      const { owner, payment, signed } = await unconfirmed(stage);
      const { verification_token, verifications } = verificationsOf(payment);
      expect(verifications).toEqual([
        expect.objectContaining({ reason: 'EVM_OWNER', signature_type: 'EIP191' }),
      ]);
      const signatures = await Promise.all(verifications.map(signed));
      expect((await stage.confirm({ verification_token, signatures })).status).toBe(200);
      const again = await stage.payment(stage.transfer('500'), { owner_address: owner.address });
      expect(again.status).toBe('PENDING');
    },
    'EVM_OWNER and EVM_WITHDRAWAL may come at once': verifiedIn(BOTH_ROUNDS),
    'EVM_OWNER may come first': verifiedIn(['EVM_OWNER'], ['EVM_WITHDRAWAL']),
    'EVM_WITHDRAWAL may come first': verifiedIn(['EVM_WITHDRAWAL'], ['EVM_OWNER']),
    "a stranger's is refused and may be retried": async (stage) => {
      const { payment, signed } = await unconfirmed(stage);
      const { verification_token, verifications } = verificationsOf(payment);
      const [{ payload } = { payload: '' }] = verifications;
      const signature = await newTestUser().owner.signMessage({ message: payload });
      const strange = { verification_token, signatures: [{ reason: 'EVM_OWNER', signature }] };
      expect((await stage.confirm(strange)).status).toBe(401);
      const signatures = await Promise.all(verifications.map(signed));
      expect((await stage.confirm({ verification_token, signatures })).status).toBe(200);
    },
    'an unknown reason or type is refused': async (stage) => {
      const { payment } = await unconfirmed(stage);
      const { verification_token } = verificationsOf(payment);
      const answer = await stage.confirm({
        verification_token,
        signatures: [{ reason: 'EVM_NOTHING', signature_type: 'EIP1', signature: '0x00' }],
      });
      expect(answer.status).toBe(400);
      expect(errorsOf(answer).map(({ path }) => path?.at(-1))).toEqual(
        expect.arrayContaining(['reason', 'signature_type']),
      );
    },
  },
} satisfies Record<ConfirmField, Rows>;
