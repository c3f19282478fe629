import { invalidRequest } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { OrderClosedError } from '../accounts/escrow/order-closed-error.js';
import { GasPriceRoseError } from './gas-price-rose-error.js';
import { refusalOf } from './refusal.js';
import { WithdrawalNeedsMoreGasError } from './withdrawal-needs-more-gas-error.js';
import { WithdrawalWouldRevertError } from './withdrawal-would-revert-error.js';

const revert = (name: string | null) => new WithdrawalWouldRevertError(name, null);

describe('a refusal', () => {
  it.each([
    ['a revert without a known reason', revert(null), 'refused', 'invalid_request'],
    ['a call that reverts', revert('CallFailed'), 'refused', 'invalid_request'],
    ['a balance that is gone', revert('ERC20InsufficientBalance'), 'refused', 'invalid_request'],
    ['a token that refuses', revert('TransferReturnedFalse'), 'refused', 'invalid_request'],
    ['another declaration', revert('WrongDeclaration'), 'refused', 'invalid_request'],
    ['a filled order', new OrderClosedError('filled'), 'refused', 'invalid_request'],
    ['another signature', revert('WrongSignature'), 'unsubmittable', 'unauthenticated'],
    ['too much gas', new WithdrawalNeedsMoreGasError(1n), 'unsubmittable', 'invalid_request'],
    ['a used nonce', revert('NonceAlreadyUsed'), 'overtaken', 'conflict'],
    ['a closed order', revert('NotOpen'), 'overtaken', 'conflict'],
    ['a refunded order', new OrderClosedError('refunded'), 'overtaken', 'conflict'],
    ['an expired authorization', revert('AuthorizationDead'), 'undecided', 'invalid_request'],
    ['an expired text', revert('RefundTextDead'), 'undecided', 'invalid_request'],
    ['a risen gas price', new GasPriceRoseError('Base'), 'undecided', 'unavailable'],
    ['an order that may still be filled', revert('NotRefundable'), 'undecided', 'unavailable'],
  ] as const)('for %s is %s', (_what, error, kind, code) => {
    const refusal = refusalOf(error);
    expect(refusal).toMatchObject({ kind, answer: { code } });
    expect(refusal?.reason).toMatch(/\S\.$/);
  });

  it('names the error of the contract to the client', () => {
    expect(refusalOf(revert('CallFailed'))?.answer.errors).toEqual([
      { kind: 'other', message: 'The withdrawal failed: the chain refuses it (CallFailed).' },
    ]);
  });

  it('is no other error, which may pass', () => {
    expect(refusalOf(new Error('connection reset'))).toBeNull();
    expect(refusalOf(invalidRequest({ kind: 'other', message: 'Too early.' }))).toBeNull();
  });
});
