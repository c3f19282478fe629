// What the local Kafka and Redis need of the machine: Java 17, Maven and redis-server. Runs before anything is built, with
// whatever Node the machine has (20 or later): only Node's own modules, and no newer syntax.
import { spawnSync } from 'node:child_process';

const JAVA = 17;

const NEEDED = [
  {
    name: `Java ${JAVA} or later`,
    isThere: () => javaVersion() >= JAVA,
    // Which of them a distribution has depends on its age.
    packages: ['openjdk-17-jre-headless', 'openjdk-21-jre-headless', 'openjdk-25-jre-headless'],
  },
  { name: 'Maven', isThere: () => answers('mvn', '--version'), packages: ['maven'] },
  {
    name: 'Redis',
    isThere: () => answers('redis-server', '--version'),
    packages: ['redis-server'],
  },
];

/**
 * Needed by the tests besides, which run the commands of the README, act as a browser, compare APIs (oasdiff, in Go) and put
 * a pooler before Postgres.
 */
const neededByTests = (systemPrograms) => [
  ...['curl', 'jq', 'chromium'].map((program) => ({
    name: program,
    isThere: () => answers(program, '--version'),
    packages: [program],
  })),
  {
    name: 'PgBouncer',
    isThere: () =>
      ['pgbouncer', `${systemPrograms}/pgbouncer`].some((each) => answers(each, '--version')),
    packages: ['pgbouncer'],
  },
  { name: 'Go', isThere: () => answers('go', 'version'), packages: ['golang-go'] },
];

/**
 * Returns when all of it is there. What is missing is installed where that can be done without asking, which is as root on
 * Debian and its like.
 *
 * @throws Error naming what is missing and the command that brings it
 */
export function ensurePrerequisites({
  isRoot = process.getuid?.() === 0,
  forTests = false,
  // Debian keeps servers where only root searches for programs.
  systemPrograms = '/usr/sbin',
} = {}) {
  const needed = forTests ? [...NEEDED, ...neededByTests(systemPrograms)] : NEEDED;
  const missing = needed.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  if (!canInstall()) throw new Error(`${sentence(missing)}\nInstall ${namesOf(missing)}.`);
  if (!isRoot) {
    const packages = missing.map(({ packages: [first] }) => first).join(' ');
    throw new Error(
      `${sentence(missing)}\nRun: sudo apt-get update && sudo apt-get install --yes ${packages}`,
    );
  }
  install(missing);
  const still = missing.filter(({ isThere }) => !isThere());
  if (still.length > 0) throw new Error(`${sentence(still)}, although apt-get has installed it.`);
}

const namesOf = (list) => list.map(({ name }) => name).join(', ');
const sentence = (list) => `Not found: ${namesOf(list)}`;

const outputOf = (command, args) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? `${stdout}${stderr}` : null;
};

const answers = (command, ...args) => outputOf(command, args) !== null;

/** Java tells its version on stderr, as `version "17.0.15"`, once `"1.8.0"`. */
function javaVersion() {
  const found = /version "(\d+)/.exec(outputOf('java', ['-version']) ?? '');
  return found === null ? 0 : Number(found[1]);
}

const canInstall = () => process.platform === 'linux' && answers('apt-get', '--version');

function install(missing) {
  console.log(`Installing ${namesOf(missing)} …`);
  apt(['update']);
  const packages = missing.map(({ name, packages: choices }) => {
    const choice = choices.find((each) => answers('apt-cache', 'show', '--quiet', each));
    if (choice === undefined) throw new Error(`apt-get has no package for ${name}.`);
    return choice;
  });
  apt(['install', '--yes', '--no-install-recommends'].concat(packages));
}

function apt(args) {
  const { status } = spawnSync('apt-get', args, {
    // No stdin, since nobody can answer; output to stderr keeps stdout clean.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed.`);
}

/** Whether the servers come in containers, which need nothing of this machine. */
export const dockerRuns = () =>
  answers('docker', 'info') && answers('docker', 'compose', 'version');
