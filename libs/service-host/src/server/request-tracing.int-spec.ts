import { Body, Controller, Get, Post } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { traceHeaders } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { Public } from '@bascule/identity';
import { IsDecimalAmount } from '@bascule/validation';
import type { RunningService } from '../service/service-definition.js';
import { json, send, startTestService } from '../testing/service.fixture.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const LARGE = 'x'.repeat(200 * 1024);

class OrderDto {
  @IsDecimalAmount() amount!: string;
}

@Public()
@Controller()
class TracedController {
  @Get('trace')
  async read() {
    await Promise.resolve();
    return traceHeaders();
  }
  @Post('trace')
  async write(@Body() _order: OrderDto) {
    await Promise.resolve();
    return traceHeaders();
  }
  @Get('crash')
  crash() {
    throw new Error('no');
  }
}

let service: RunningService;
beforeAll(async () => {
  service = await startTestService({ controllers: [TracedController] }, { LOG_LEVEL: 'info' });
});
afterAll(() => service.shutdown({ graceMs: 0 }));

const traced = (headers: Record<string, string>) => ({
  headers: { traceparent: TRACEPARENT, ...headers },
});

describe('a request', () => {
  it('runs in the trace of its caller', async () => {
    const { body } = await send(`${service.url}/trace`, traced({ tracestate: 'congo=t61r' }));
    expect(body).toEqual({ traceparent: TRACEPARENT, tracestate: 'congo=t61r' });
  });

  it('stays in the trace after its body has arrived', async () => {
    for (const label of ['', LARGE]) {
      const order = json({ amount: '1', label }, { traceparent: TRACEPARENT });
      const { body } = await send(`${service.url}/trace`, order);
      expect(body).toEqual({ traceparent: TRACEPARENT });
    }
  });

  it.each([{}, { traceparent: 'garbage' }, { traceparent: `00-${TRACE}-00f067aa0ba902b7-01-x` }])(
    'starts a new trace with %j',
    async (headers) => {
      const init = { headers: { tracestate: 'congo=t61r', ...headers } };
      const first = (await send(`${service.url}/trace`, init)).body;
      const second = (await send(`${service.url}/trace`, init)).body;
      expect(first).toEqual({
        traceparent: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-00$/),
      });
      expect(first).not.toEqual(second);
    },
  );

  it('does not reveal its trace in the answer', async () => {
    const { headers } = await send(`${service.url}/trace`, traced({}));
    expect([...headers.keys()].filter((name) => name.startsWith('trace'))).toEqual([]);
  });
});

describe('the log line of a request', () => {
  it.each(['/trace', '/crash', '/nothing'])('contains the trace of %s', async (path) => {
    const seen: unknown[] = [];
    for (const level of ['info', 'warn', 'error'] as const) {
      jest.spyOn(service.context.logger, level).mockImplementation(() => {
        seen.push(traceHeaders().traceparent);
      });
    }
    await send(service.url + path, traced({}));
    await eventually(() => expect(seen.length).toBeGreaterThan(path === '/crash' ? 1 : 0));
    jest.restoreAllMocks();
    expect(new Set(seen)).toEqual(new Set([TRACEPARENT]));
  });
});
