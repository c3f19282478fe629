import { connect } from 'node:net';
import { Body, Controller, Delete, Get, Header, Post, Query } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsArray, IsOptional, IsString } from 'class-validator';
import { conflict, unavailable } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { Public } from '@bascule/identity';
import { IsDecimalAmount, IsQueryBoolean } from '@bascule/validation';
import type { RunningService } from '../service/service-definition.js';
import { json, send, startTestService } from '../testing/service.fixture.js';
import { RawBody } from './body-parser.js';

class OrderDto {
  @IsDecimalAmount() amount!: string;
  @IsOptional() @IsString() label?: string;
}
class ListQuery {
  @IsOptional() @IsArray() @IsString({ each: true }) inputs?: string[];
  @IsOptional() @IsQueryBoolean() sandbox?: boolean;
}

@Public()
@Controller()
class EchoController {
  @Post('orders')
  order(@Body() body: OrderDto) {
    return body;
  }
  @Delete('orders')
  remove(@Body() body: OrderDto) {
    return body;
  }
  @Get('items/:id')
  list(@Query() query: ListQuery) {
    return query;
  }
  @Post('callbacks/:name')
  @RawBody()
  callback(@Body() body: Buffer) {
    return { bytes: body.toString('hex') };
  }
  @Get('conflict')
  conflicting() {
    throw conflict('Already confirmed.');
  }
  @Get('busy')
  busy() {
    throw unavailable('The chain cannot be read.');
  }
  @Get('invalid-header')
  @Header('location', 'https://shop.example/✓')
  redirecting() {
    return undefined;
  }
  @Get('crash')
  crash() {
    throw new Error('password=hunter2 at db.internal');
  }
}

let service: RunningService;
beforeAll(async () => {
  service = await startTestService({ controllers: [EchoController] });
});
afterAll(() => service.shutdown({ graceMs: 0 }));

const at = (path: string): string => service.url + path;

describe('an error of any kind', () => {
  const largeBody = json({ amount: '1', label: 'x'.repeat(256 * 1024) });

  it.each<[string, string, RequestInit, number, string]>([
    ['an unknown route', '/nothing', {}, 404, 'other'],
    ['an unknown method', '/orders', { method: 'PUT' }, 404, 'other'],
    ['malformed JSON', '/orders', json('{"amount":'), 400, 'other'],
    ['a body over 256 KiB', '/orders', largeBody, 413, 'other'],
    [
      'a form',
      '/orders',
      { method: 'POST', body: new URLSearchParams({ amount: '1' }) },
      415,
      'other',
    ],
    [
      'a compressed body',
      '/orders',
      json({ amount: '1' }, { 'content-encoding': 'gzip' }),
      415,
      'other',
    ],
    [
      'a compressed raw body',
      '/callbacks/one',
      json('x', { 'content-encoding': 'br' }),
      415,
      'other',
    ],
    ['plain text', '/orders', { method: 'POST', body: 'amount=1' }, 415, 'other'],
    ['a URL that cannot be decoded', '/%zz', {}, 400, 'other'],
    ['a conflict', '/conflict', {}, 409, 'other'],
    ['a dependency that is unavailable', '/busy', {}, 503, 'unknown'],
    ['a crash', '/crash', {}, 500, 'unknown'],
    ['a header that cannot be sent', '/invalid-header', {}, 500, 'unknown'],
  ])(
    '%s has the specified body, an id and nothing internal',
    async (_, path, init, status, kind) => {
      const response = await send(at(path), init);
      expect(response.status).toBe(status);
      expect(response.body).toEqual({ errors: [{ kind, message: expect.any(String) }] });
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(response.headers.get('x-request-id')).toBeTruthy();
      expect(JSON.stringify(response.body)).not.toMatch(/hunter2|internal\.|stack|zz/);
    },
  );

  it('says with each 503 when to try again', async () => {
    expect((await send(at('/busy'))).headers.get('retry-after')).toBe('2');
    expect((await send(at('/conflict'))).headers.get('retry-after')).toBeNull();
  });

  it('is answered even when the request is not HTTP', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let text = '';
      socket.setEncoding('utf8');
      socket.on('data', (part: string) => (text += part));
      socket.on('end', () => {
        resolve(text);
      });
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).toContain('{"errors":[{"kind":"other"');
  });
});

describe('a body', () => {
  it('just under the limit is accepted', async () => {
    const label = 'x'.repeat(256 * 1024 - 64);
    expect((await send(at('/orders'), json({ amount: '1', label }))).status).toBe(201);
  });

  it('is validated, all problems at once', async () => {
    const { status, body } = await send(at('/orders'), json({ amount: 1, label: 2 }));
    expect(status).toBe(400);
    expect(body).toEqual({
      errors: [
        {
          code: 'invalid_type',
          expected: 'string',
          path: ['amount'],
          message: 'Expected string, received number.',
        },
        {
          code: 'invalid_type',
          expected: 'string',
          path: ['label'],
          message: 'Expected string, received number.',
        },
      ],
    });
  });

  it('may be absent without a content type', async () => {
    const { status, body } = await send(at('/orders'), { method: 'DELETE' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: ['amount'] }] });
    const headers = { 'content-type': 'application/json' };
    expect((await send(at('/orders'), { method: 'POST', headers })).body).toEqual(body);
  });

  it('cannot carry a prototype', async () => {
    const { body } = await send(at('/orders'), json('{"amount":"1","__proto__":{"label":"evil"}}'));
    expect(body).toEqual({ amount: '1' });
  });

  it('may declare the identity encoding', async () => {
    const init = json({ amount: '1' }, { 'content-encoding': 'Identity' });
    expect((await send(at('/orders'), init)).status).toBe(201);
  });

  it('reaches a raw handler unchanged, whatever its type', async () => {
    const bytes = Buffer.from('{"a": 1 }\n\u00ff', 'latin1');
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      const { body } = await send(at('/callbacks/one'), {
        method: 'POST',
        headers: { 'content-type': type },
        body: bytes,
      });
      expect(body).toEqual({ bytes: bytes.toString('hex') });
    }
  });
});

describe('a query', () => {
  it('holds lists and booleans', async () => {
    const { body } = await send(at('/items/1?inputs[]=usd&inputs[]=eur&sandbox=1&other=x'));
    expect(body).toEqual({ inputs: ['usd', 'eur'], sandbox: true });
  });

  it('is validated like a body', async () => {
    const { status, body } = await send(at('/items/1?inputs=usd&sandbox=maybe'));
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: ['inputs'] }, { path: ['sandbox'] }] });
  });

  it('is refused when it holds U+0000', async () => {
    const { status, body } = await send(at('/items/1?inputs[]=a&inputs[]=%00'));
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ code: 'invalid_format', path: ['inputs', 1] }] });
  });
});

describe('x-request-id', () => {
  it('is the one of the client if valid, else a new one', async () => {
    const echo = async (id: string) =>
      (await send(at('/conflict'), { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      );
    expect(await echo('order-4711')).toBe('order-4711');
    expect(await echo('not sane')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('metrics', () => {
  it('count requests by route template, and include those of the process once', async () => {
    await send(at('/items/hidden-id?token=hidden'));
    await send(at('/nothing/at/all'));
    const text = String((await send(`${service.operationsUrl}/metrics`)).body);
    expect(text).toMatch(/http_request_duration_seconds_count\{.*route="\/items\/:id".*\} [1-9]/);
    expect(text).toMatch(/route="unknown",status="404"/);
    expect(text).not.toContain('hidden');
    expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
  });
});

describe('the log', () => {
  it('does not report a client that aborts its body as an error', async () => {
    const logged = await startTestService({ controllers: [EchoController] }, { LOG_LEVEL: 'info' });
    const lines: [string, unknown][] = [];
    for (const level of ['info', 'warn', 'error'] as const) {
      logged.context.logger[level] = (line: unknown): void => void lines.push([level, line]);
    }
    try {
      const socket = connect(logged.port, '127.0.0.1');
      const head = 'host: x\r\ncontent-type: application/json\r\ncontent-length: 100';
      socket.write(`POST /orders HTTP/1.1\r\n${head}\r\n\r\n{"amount"`, () => {
        socket.destroy();
      });
      await eventually(() => {
        expect(lines).toEqual([['info', { request_id: expect.any(String) }]]);
      });
    } finally {
      await logged.shutdown({ graceMs: 0 });
    }
  });

  it('has one line per request, with the template of its route and none of its secrets', async () => {
    const logged = await startTestService({ controllers: [EchoController] }, { LOG_LEVEL: 'info' });
    const lines: unknown[] = [];
    const write = (line: unknown): void => void lines.push(line);
    logged.context.logger.info = write;
    logged.context.logger.error = write;
    logged.context.logger.warn = write;
    try {
      await send(`${logged.url}/items/7?token=secret`, {
        headers: { authorization: 'Bearer sk_secret', 'x-request-id': 'r-1' },
      });
      await send(`${logged.operationsUrl}/health/live`);
      expect(lines).toEqual([
        {
          request_id: 'r-1',
          method: 'GET',
          route: '/items/:id',
          status: 200,
          duration_ms: expect.any(Number),
        },
      ]);
      await send(`${logged.url}/crash`, { headers: { 'x-request-id': 'r-2' } });
      expect(lines.slice(1)).toEqual([
        { err: expect.objectContaining({ message: expect.any(String) }), request_id: 'r-2' },
        expect.objectContaining({ request_id: 'r-2', status: 500 }),
      ]);
      expect(JSON.stringify(lines[0])).not.toContain('secret');
    } finally {
      await logged.shutdown({ graceMs: 0 });
    }
  });
});
