import { existsSync } from 'node:fs';
import { jarsFolder, kafkaClassPath, run } from './jars.js';

/** Java's archive of the classes that a broker loads; valid for these jars and the Java that wrote it. */
export const classArchive = (): string => `${jarsFolder()}.jsa`;

/** Java's option to use the archive, when there is one. Java starts without an archive that is not valid. */
export const fromClassArchive = (archive = classArchive()): string[] =>
  existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];

/** Whether Java starts from the archive. One that was not written to its end would crash every broker. */
export async function isUsable(archive: string): Promise<boolean> {
  if (!existsSync(archive)) return false;
  const options = ['-Xshare:on', '-XX:+SuppressFatalErrorMessage', ...fromClassArchive(archive)];
  return run('java', [...options, '-cp', await kafkaClassPath(), '-version']).then(
    () => true,
    () => false,
  );
}
