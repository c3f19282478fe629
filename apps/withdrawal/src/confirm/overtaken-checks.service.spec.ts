import type { ServiceContext } from '@bascule/process';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SettlementService } from '../settlement/settlement.service.js';
import type { SubmissionService } from '../settlement/submission.service.js';
import { aWithdrawal } from '../testing/withdrawal-record.fixture.js';
import { OvertakenChecksService } from './overtaken-checks.service.js';

const PAUSE_MS = 250;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a withdrawal that another transaction executed', () => {
  it('is compared with its chain once in a pause, however many requests wait for it', async () => {
    const settle = jest.fn(() => Promise.resolve(false));
    const settlement: Partial<SettlementService> = { settle, pauseOn: () => PAUSE_MS };
    const submissions: Partial<SubmissionService> = { newest: () => Promise.resolve('none') };
    const checks = new OvertakenChecksService(
      settlement as SettlementService,
      submissions as SubmissionService,
      {} as ServiceContext,
    );
    const record = aWithdrawal({});
    const compareTogether = () =>
      Promise.all(Array.from({ length: 5 }, () => checks.compare(record)));
    await compareTogether();
    await jest.advanceTimersByTimeAsync(PAUSE_MS - 1);
    await compareTogether();
    expect(settle).toHaveBeenCalledTimes(1);
    await checks.compare({ ...record, id: 'another' });
    expect(settle).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(1);
    await compareTogether();
    expect(settle).toHaveBeenCalledTimes(3);
  });
});
