import type { Chains } from '@bascule/chain';
import { forbidden } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { ScreeningUnavailableError } from '@bascule/screening';
import { describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import type { WithdrawalAccount } from '../accounts/withdrawal-account.js';
import type { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import type { WithdrawalFact } from '../life-cycle/transitions.js';
import type { Movability, PaymentAccessService } from '../payments/payment-access.service.js';
import type { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import type { WithdrawalScreeningService } from '../screening/withdrawal-screening.service.js';
import { aWithdrawal } from '../testing/withdrawal-record.fixture.js';
import type { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import type { SettlementWatchService } from './settlement-watch.service.js';
import { SettlementService } from './settlement.service.js';
import type { SubmissionService } from './submission.service.js';

const dropped = aWithdrawal({ signature: '0x12', submitted: true, submissions: 1 });
const HIT = { reason: 'the recipient is not allowed.', answer: forbidden('No.') };

type Screened = Awaited<ReturnType<WithdrawalScreeningService['hitOf']>>;

/** Settles a withdrawal whose transaction was dropped; returns its further submissions, and its failure. */
async function settleDropped(
  hitOf: () => Promise<Screened> = () => Promise.resolve(null),
  movability: Movability = 'movable',
): Promise<{ sent: number[]; facts: WithdrawalFact[] }> {
  const sent: number[] = [];
  const facts: WithdrawalFact[] = [];
  const account: Partial<WithdrawalAccount> = {
    observe: () => Promise.resolve({ state: 'open', isExpired: false }),
  };
  const accounts: Partial<WithdrawalAccountsService> = {
    get: () => account as WithdrawalAccount,
  };
  const dataSource = {
    transaction: (work: (manager: EntityManager) => Promise<unknown>) => work({} as EntityManager),
  };
  const withdrawals: Partial<WithdrawalRepository> = {
    lock: () => Promise.resolve(dropped),
    apply: (_manager, locked, fact) => {
      facts.push(fact);
      return Promise.resolve(locked);
    },
  };
  const submissions: Partial<SubmissionService> = {
    prepare: () =>
      Promise.resolve({
        to: '0x01',
        data: '0x',
        gasLimit: 1n,
        maxCost: 1n,
        isSubsidised: false,
        wouldRevert: false,
      }),
    newest: () => Promise.resolve('dropped'),
    record: (_known, _call, change) => change({} as EntityManager, () => Promise.resolve()),
    send: (_id, number) => {
      sent.push(number);
      return Promise.resolve();
    },
  };
  const payments: Partial<PaymentAccessService> = { movability: () => Promise.resolve(movability) };
  const screening: Partial<WithdrawalScreeningService> = { hitOf };
  const watch: Partial<SettlementWatchService> = { notifySettled: () => undefined };
  const service = new SettlementService(
    dataSource as DataSource,
    withdrawals as WithdrawalRepository,
    payments as PaymentAccessService,
    accounts as WithdrawalAccountsService,
    screening as WithdrawalScreeningService,
    submissions as SubmissionService,
    watch as SettlementWatchService,
    {} as Chains,
    {} as WithdrawalSettings,
    new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' }),
  );
  await service.settle(dropped, 'dropped');
  return { sent, facts };
}

describe('SettlementService.settle', () => {
  it('submits a withdrawal again after its transaction was dropped', async () => {
    expect(await settleDropped()).toEqual({ sent: [2], facts: [] });
  });

  it('fails one that a sanctioned address keeps from being submitted again', async () => {
    const failed = { sent: [], facts: [{ kind: 'failed', reason: HIT.reason }] };
    expect(await settleDropped(() => Promise.resolve(HIT))).toEqual(failed);
  });

  it('fails one of a payment that is frozen by now', async () => {
    const failed = { sent: [], facts: [{ kind: 'failed', reason: 'the payment is frozen.' }] };
    expect(await settleDropped(undefined, 'frozen')).toEqual(failed);
  });

  it('leaves one pending while its addresses or senders are not screened', async () => {
    const waiting = { sent: [], facts: [] };
    const unavailable = () => Promise.reject(new ScreeningUnavailableError());
    expect(await settleDropped(unavailable)).toEqual(waiting);
    expect(await settleDropped(undefined, 'waiting')).toEqual(waiting);
  });
});
