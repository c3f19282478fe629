import { EventEmitter } from 'node:events';
import { userInfo } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { UsageError } from './operator-error.js';
import { ignoreClosedPipe, operatorActor } from './output.js';

const { username } = userInfo();

describe('the actor of the audit log', () => {
  it.each([undefined, '', ' '])('is the user of the system without a name: %p', (OPERATOR) => {
    expect(operatorActor({ ...(OPERATOR !== undefined && { OPERATOR }) })).toBe(
      `operator ${username}`,
    );
  });

  it('is the given name beside that user', () => {
    expect(operatorActor({ OPERATOR: 'Zoë@acme.example' })).toBe(
      `operator Zoë@acme.example (${username})`,
    );
  });

  it.each(['-', 'a (root)', 'a\nb', 'x'.repeat(65)])('is no unreadable name: %p', (OPERATOR) => {
    expect(() => operatorActor({ OPERATOR })).toThrow(UsageError);
  });
});

describe('the output of a command', () => {
  it('goes on without a reader, and fails on any other error', () => {
    const stream = new EventEmitter();
    ignoreClosedPipe(stream);
    const fails = (code: string) => stream.emit('error', Object.assign(new Error(code), { code }));
    expect(() => fails('EPIPE')).not.toThrow();
    expect(() => fails('ENOSPC')).toThrow('ENOSPC');
  });
});
