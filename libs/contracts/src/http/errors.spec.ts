import { describe, expect, it } from '@jest/globals';
import { invalidRequest, type ValidationError } from './errors.js';
import type { Issue } from './issues.js';

const malformed: ValidationError = { code: 'custom', path: ['a'], message: 'Malformed.' };
const refused: Issue = { kind: 'other', message: 'Refused.' };

describe('invalidRequest', () => {
  it('reports validation errors without issues, so that the body has one shape', () => {
    expect(invalidRequest(refused, malformed, refused).errors).toEqual([malformed]);
  });

  it('reports at most 100 errors', () => {
    const many = Array.from({ length: 101 }, () => malformed);
    expect(invalidRequest(...many).errors).toHaveLength(100);
  });

  it('reports issues when nothing is malformed', () => {
    expect(invalidRequest(refused, refused).errors).toEqual([refused, refused]);
  });
});
