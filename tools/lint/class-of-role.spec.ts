import { describe, expect, it } from '@jest/globals';

const { classOfRole } = (await import(`${import.meta.dirname}/class-of-role.mjs`)) as {
  classOfRole: (path: string, roles: string[]) => string | undefined;
};

describe('the class of a file with a role', () => {
  it.each([
    ['apps/payment/src/deposits/deposit.repository.ts', 'DepositRepository'],
    ['block-reader.client.ts', 'BlockReaderClient'],
    ['payment.module.ts', 'PaymentModule'],
    ['confirm.service.int-spec.ts', undefined],
    ['payment-record.ts', undefined],
    ['asset.entity.ts', undefined],
  ])('in %s is %s', (path, expected) => {
    expect(classOfRole(path, ['client', 'module', 'repository', 'service'])).toBe(expected);
  });
});
