import { forbidden, unavailable } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { WithdrawalAccount } from '../accounts/withdrawal-account.js';
import type { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import type { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import type { WithdrawalScreeningService } from '../screening/withdrawal-screening.service.js';
import { aWithdrawal } from '../testing/withdrawal-record.fixture.js';
import type { SettlementWatchService } from './settlement-watch.service.js';
import { SettlementService } from './settlement.service.js';
import type { SubmissionService } from './submission.service.js';

const dropped = aWithdrawal({ signature: '0x12', submitted: true, submissions: 1 });

/** Settles a withdrawal whose transaction was dropped; returns whether it was prepared again. */
async function isSubmittedAgain(requireClear: () => Promise<void>): Promise<boolean> {
  let isPrepared = false;
  const account: Partial<WithdrawalAccount> = {
    observe: () => Promise.resolve({ state: 'open', isExpired: false }),
  };
  const accounts: Partial<WithdrawalAccountsService> = {
    get: () => account as WithdrawalAccount,
  };
  const submissions: Partial<SubmissionService> = {
    prepare: () => {
      isPrepared = true;
      return Promise.reject(new Error('prepared'));
    },
  };
  const screening: Partial<WithdrawalScreeningService> = { requireClear };
  const service = new SettlementService(
    {} as DataSource,
    {} as WithdrawalRepository,
    accounts as WithdrawalAccountsService,
    screening as WithdrawalScreeningService,
    submissions as SubmissionService,
    {} as SettlementWatchService,
    new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' }),
  );
  await service.settle(dropped, 'dropped').catch(() => undefined);
  return isPrepared;
}

describe('SettlementService.settle', () => {
  it('submits a withdrawal again after its transaction was dropped', async () => {
    expect(await isSubmittedAgain(() => Promise.resolve())).toBe(true);
  });

  it.each([
    ['an address is sanctioned', forbidden('The payment is frozen.')],
    ['a screening source is unavailable', unavailable('Try again.')],
  ])('does not while %s', async (_, refusal) => {
    expect(await isSubmittedAgain(() => Promise.reject(refusal))).toBe(false);
  });
});
