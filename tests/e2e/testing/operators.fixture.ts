import { Api } from '../../../tools/first-payment/api.js';
import type { StackProcess } from '../../testing/stack-process.fixture.js';

export interface OrganisationKeys {
  organisationId: string;
  publishable: string;
  secret: string;
  /** Argument of `keys revoke`. */
  keySetId: string;
}

const find = (output: string, pattern: RegExp): string => {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`${pattern.source} is not in the output: ${output}`);
  return found;
};

/** Creates another organisation with keys through the operator's command line. */
export async function newOrganisation(
  stack: StackProcess,
  ...permissions: string[]
): Promise<OrganisationKeys> {
  const created = await stack.operator('organisations', 'create', '--name', 'Another');
  const organisationId = find(created, /organisation: (\S+)/);
  const keys = await stack.operator(
    ...['keys', 'create', '--organisation', organisationId, '--label', 'test'],
    ...(permissions.length === 0 ? [] : ['--permissions', permissions.join(',')]),
  );
  return {
    organisationId,
    publishable: find(keys, /(pk_\S+)/),
    secret: find(keys, /(sk_\S+)/),
    keySetId: find(keys, /key set: (\S+)/),
  };
}

/** Creates test keys of an organisation; `organisationId` is its test organisation. */
export async function newTestKeys(
  stack: StackProcess,
  liveOrganisationId: string,
  label = 'test mode',
): Promise<OrganisationKeys> {
  const keys = await stack.operator(
    ...['keys', 'create', '--organisation', liveOrganisationId, '--label', label, '--test'],
  );
  return {
    organisationId: find(keys, /test organisation: (\S+)/),
    publishable: find(keys, /(pk_test_\S+)/),
    secret: find(keys, /(sk_test_\S+)/),
    keySetId: find(keys, /key set: (\S+)/),
  };
}

export const apiOf = (stack: StackProcess, key: string | null): Api =>
  new Api(`http://127.0.0.1:${stack.ports.GATEWAY_PORT}`, key);
