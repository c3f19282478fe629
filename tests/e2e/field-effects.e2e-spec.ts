import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { CONFIRM_ROWS } from '../field-effects/confirm-rows.js';
import { ContractStage, type Row, type Rows } from '../field-effects/contract-stage.js';
import { CONTRACT_SETTINGS, QUOTE_ROWS } from '../field-effects/quote-rows.js';
import { CUSTOM_ACTION_ROWS, REQUEST_ROWS } from '../field-effects/request-rows.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

let stack: StackProcess;
let stage: ContractStage;

beforeAll(async () => {
  stack = await StackProcess.create('fields', ['DELTANET_PORT']);
  stage = await ContractStage.open(stack, await stack.start(CONTRACT_SETTINGS));
});

afterAll(() => stack.dispose());

const expectEffect = (row: Row): Promise<void> => row(stage);

/** Every field of an endpoint's body, with a row for each of its values and effects. */
const play = (fields: Record<string, Rows>): void => {
  describe.each(Object.entries(fields))('%s', (_, rows) => {
    it.each(Object.entries(rows))('%s', (__, row) => expectEffect(row));
  });
};

describe('POST /payments/quotes', () => play(QUOTE_ROWS));

describe.each(Object.entries(REQUEST_ROWS))('POST /payments/quotes, %s', (_, fields) =>
  play(fields),
);

describe('POST /payments/quotes, custom_actions', () => play(CUSTOM_ACTION_ROWS));

describe('POST /payments/confirm', () => play(CONFIRM_ROWS));
