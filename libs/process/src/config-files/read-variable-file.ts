import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 64 * 1024;

export interface VariableFile {
  text: string;
  /** Distinguishes contents, without keeping them. */
  digest: string;
}

/** Thrown for a file that holds no value; the message contains neither its path nor its content. */
export class VariableFileError extends Error {}

/** The system refused to open or read the file, perhaps for a moment. */
export class UnreadableFileError extends VariableFileError {}

/**
 * Reads the value of a variable from its file, without trailing line breaks.
 *
 * @throws VariableFileError for a file that is missing, unreadable, empty, too large or not UTF-8
 */
export function readVariableFile(path: string): VariableFile {
  const bytes = readBytes(path);
  const text = decode(bytes).replace(/[\r\n]+$/, '');
  if (text === '') throw new VariableFileError('the file is empty');
  return { text, digest: createHash('sha256').update(text).digest('hex') };
}

function readBytes(path: string): Buffer {
  let descriptor: number | undefined;
  try {
    // Opening a pipe would otherwise wait for its writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) throw new VariableFileError('expected a regular file');
    return readBounded(descriptor);
  } catch (error) {
    if (error instanceof VariableFileError) throw error;
    throw new UnreadableFileError(`could not read the file (${codeOf(error)})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads up to the limit by what arrives: the size of a file can change meanwhile. */
function readBounded(descriptor: number): Buffer {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (length > MAX_BYTES)
      throw new VariableFileError(`the file is larger than ${MAX_BYTES} bytes`);
    if (read === 0) return buffer.subarray(0, length);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new VariableFileError('the file is not UTF-8');
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
