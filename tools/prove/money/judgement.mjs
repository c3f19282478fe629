import { againstArguments } from '../arguments.mjs';

/** Share of mutants that tests must notice; argued survivors are left out. */
const WANTED = 0.9;
const NOTICED = ['Killed', 'Timeout'];
// A test file that could not be loaded says nothing about its tests.
const UNNOTICED = ['Survived', 'NoCoverage', 'RuntimeError'];

/**
 * Reads Stryker's report.
 *
 * @returns each mutant with a name that outlives changes elsewhere in its file
 */
export function mutantsOf({ files }) {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const counts = new Map();
    const lines = source.split('\n');
    return mutants.toSorted(byPlace).map(({ mutatorName, replacement, location, status }) => {
      const change = `${inOneLine(textAt(lines, location))} → ${inOneLine(replacement)}`;
      const plain = `${file} ${mutatorName}: ${change}`;
      const count = (counts.get(plain) ?? 0) + 1;
      counts.set(plain, count);
      const name = count === 1 ? plain : `${plain} (${count})`;
      return { file, name, status, line: location.start.line };
    });
  });
}

const byPlace = ({ location: { start: a } }, { location: { start: b } }) =>
  a.line - b.line || a.column - b.column;

function textAt(lines, { start, end }) {
  const text = lines.slice(start.line - 1, end.line);
  text[text.length - 1] = text.at(-1).slice(0, end.column - 1);
  text[0] = text[0].slice(start.column - 1);
  return text.join('\n');
}

const inOneLine = (text = '') => text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);

/**
 * Judges mutants: at least 90 % of those that are not argued must be noticed. Mutants that Stryker ignored are only
 * counted.
 *
 * @param argued reasons by the mutant's name; a reason without a survivor is a failure
 */
export function judge(mutants, argued) {
  const files = new Set(mutants.map(({ file }) => file));
  const ofFiles = Object.entries(argued).filter(([name]) => files.has(name.split(' ', 1)[0]));
  const survivors = mutants.filter(({ status }) => UNNOTICED.includes(status));
  const { open, stale } = againstArguments(
    survivors.map(({ name }) => name),
    Object.fromEntries(ofFiles),
  );
  const killed = mutants.filter(({ status }) => NOTICED.includes(status)).length;
  const ignored = mutants.filter(({ status }) => status === 'Ignored').length;
  const score = killed + open.length === 0 ? 0 : killed / (killed + open.length);
  const isEnough = score >= WANTED && killed > 0 && stale.length === 0;
  return { killed, argued: survivors.length - open.length, open, stale, ignored, score, isEnough };
}
