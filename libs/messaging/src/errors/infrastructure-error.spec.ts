import { describe, expect, it } from '@jest/globals';
import { TransportUnavailableError } from '../transport/transport.js';
import { InfrastructureError, isInfrastructureError } from './infrastructure-error.js';

describe('isInfrastructureError', () => {
  it('finds the error among wrapped causes', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(isInfrastructureError(new Error('lookup failed', { cause: refused }))).toBe(true);
    const crowded = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    expect(isInfrastructureError(new Error('not kept', { cause: crowded }))).toBe(true);
    expect(isInfrastructureError(new InfrastructureError('node syncing'))).toBe(true);
    expect(isInfrastructureError(new TransportUnavailableError('broker'))).toBe(true);
  });

  it('counts a handler’s own errors as attempts', () => {
    expect(isInfrastructureError(new Error('amount is negative'))).toBe(false);
    expect(isInfrastructureError('a string')).toBe(false);
    expect(isInfrastructureError(undefined)).toBe(false);
  });
});
