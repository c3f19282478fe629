import { join } from 'node:path';
import { operatorCommand, root } from '../bundled-entries.mjs';

/** The value of `--service`, which names the service whose role is needed. */
function named(args) {
  const index = args.findIndex((arg) => arg === '--service' || arg.startsWith('--service='));
  if (index === -1) return undefined;
  return args[index].includes('=') ? args[index].split('=')[1] : args[index + 1];
}

/** Finds the commands of an app once a group is used. */
const commandOf = (app) => () => operatorCommand(app);
const libraryCommand = (library, path) => () =>
  join(root, `libs/${library}/dist/${path}.command.js`);

const always = (service) => () => service;

/** Each group of commands: its owner, its database and its usage. */
export const groups = {
  organisations: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'create --name NAME',
      'list',
      'restrict --organisation ID --origins https://a.example,https://b.example | any',
      'limit --organisation ID --limit UNITS_PER_WINDOW | default',
    ],
  },
  keys: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'create --organisation ID --label LABEL [--permissions quotes,payments:read,…]',
      '       [--expires-at 2027-01-31T00:00:00Z] [--limit UNITS_PER_WINDOW]',
      '       [--client-limit UNITS_PER_WINDOW] [--methods SWIFT]',
      'list [--organisation ID]',
      'limit --key-set ID [--limit UNITS_PER_WINDOW | default]',
      '       [--client-limit UNITS_PER_WINDOW | default]',
      'methods --key-set ID --methods SWIFT | none',
      'rotate --id KEY_ID | KEY_SET_ID [--retire-at TIME | now] [--expires-at TIME]',
      'revoke --id KEY_ID | KEY_SET_ID',
    ],
  },
  audit: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: ['list [--organisation ID] [--subject ID] [--limit 50] [--before ENTRY]'],
  },
  'rev-shares': {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'create --organisation ID --name NAME --receivers CHAIN:ADDRESS=PCT,…',
      'list --organisation ID',
      'disable --organisation ID --name NAME',
    ],
  },
  edges: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'open --organisation ID --edge NAME',
      'close --organisation ID --edge NAME',
      'list --organisation ID',
    ],
  },
  quotas: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'set --organisation ID [--quotes-per-second N | default]',
      '       [--unfunded-payments N | default] [--unsigned-withdrawals N | default]',
      'list --organisation ID',
    ],
  },
  'redirect-origins': {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'add --organisation ID --origin https://host[:port]',
      'remove --organisation ID --origin https://host[:port]',
      'list --organisation ID',
    ],
  },
  countries: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'list',
      'prohibit --places CUB,UKR-43,…',
      'permit --places CUB,…',
      'restrict --method SEPA --places DEU,FRA,…',
      'unrestrict --method SEPA',
    ],
  },
  pause: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'chain | venue | bridge | provider NAME --reason TEXT [--unlisted]',
      'organisation ID --reason TEXT',
      'confirms | execution --reason TEXT',
    ],
  },
  resume: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: [
      'chain | venue | bridge | provider NAME [--unlisted]',
      'organisation ID',
      'confirms | execution',
    ],
  },
  pauses: {
    command: commandOf('gateway'),
    keepsName: true,
    serviceOf: always('gateway'),
    usage: ['list'],
  },
  assets: {
    command: commandOf('catalogue'),
    serviceOf: always('catalogue'),
    usage: [
      'list [--chain CHAIN] [--overridden]',
      'add CHAIN:ADDRESS --image-url URL [--name NAME] [--symbol SYMBOL] [--alias ALIAS]',
      '       [--coingecko-id ID] [--pair eth/usd [--sure]] [--rpc-url URL,URL…] [--decimals N]',
      'override ASSET [--name …] [--symbol …] [--image-url …] [--alias …] [--coingecko-id …]',
      '       [--pair … [--sure]]',
      'hide ASSET',
      'show ASSET',
      'reset ASSET',
      'history ASSET',
    ],
  },
  webhooks: {
    command: commandOf('webhook-dispatch'),
    serviceOf: always('webhook-dispatch'),
    usage: [
      'list --organisation ID',
      'deliveries --organisation ID [--label LABEL] [--status STATUS] [--limit 25]',
      '       [--pagination-key KEY]',
      'show DELIVERY --organisation ID',
      'resend DELIVERY --organisation ID',
      'resend-failed --organisation ID --since TIME [--label LABEL]',
      'test --organisation ID --label LABEL [--event-type TYPE]',
      'rotate-keys',
    ],
  },
  payments: {
    command: commandOf('payment'),
    serviceOf: always('payment'),
    usage: ['timeline PAYMENT'],
  },
  transactions: {
    command: libraryCommand('transactions', 'transactions'),
    serviceOf: named,
    usage: ['list --service NAME', 'abandon --service NAME --chain CHAIN --signer ADDRESS'],
  },
  topics: {
    command: libraryCommand('messaging', 'topics/topics'),
    // Where there is no broker, the log that all services share.
    serviceOf: always('catalogue'),
    usage: ['list', 'plan', 'apply'],
  },
  'dead-letters': {
    command: libraryCommand('messaging', 'parked/dead-letters'),
    serviceOf: named,
    usage: [
      'list --service NAME [--limit 50] [--before ID] [--all]',
      'show ID… --service NAME',
      'replay ID… --service NAME',
      'discard ID… --service NAME',
    ],
  },
  preflight: {
    command: () => join(root, 'tools/preflight/main.ts'),
    // It reads the environments of the services, and has none of its own.
    readsEnvironments: true,
    usage: [
      '[--environments FOLDER | --service NAME] [--settings FILE] [--json]',
      '       [--only CHECK,…] [--skip CHECK,…] [--least-balance CHAIN=AMOUNT,…]',
    ],
  },
  projections: {
    command: libraryCommand('messaging', 'projections/projections'),
    serviceOf: named,
    usage: [
      'list --service NAME',
      'rebuild --service NAME [--topic TOPIC]… [--accept-older-versions]',
    ],
  },
};

/** Usage text of one group, or of all. */
export function usage(only) {
  const lines = Object.entries(groups)
    .filter(([name]) => only === undefined || name === only)
    .flatMap(([name, { usage: commands }]) =>
      commands.map(
        (command) => `  ${command.startsWith(' ') ? ' '.repeat(name.length) : name} ${command}`,
      ),
    );
  return `usage: npm run operator -- GROUP COMMAND [--as NAME]\n\n${lines.join('\n')}`;
}
