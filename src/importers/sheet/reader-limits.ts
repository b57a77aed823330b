/** What reading a file may cost. The reader process has these limits, whatever a parser makes of the file. */
export interface ReaderLimits {
  /** Most memory of the process, of any kind: heap, buffers, code. Node itself takes 60 MiB of it. */
  readonly mebibytes: number;
  /** Most memory of its objects, so that garbage is collected before the process reaches the limit above. */
  readonly heapMebibytes: number;
  /** Most processor time of all its threads: a busy machine refuses no file that an idle one reads. */
  readonly seconds: number;
}

/** With the 90 MiB of the command and `tableBytesMax` this is less than 500 MB. */
export const readerLimits: ReaderLimits = { mebibytes: 290, heapMebibytes: 224, seconds: 8 };

/** How the guard ends a process that has used up its time; every other signal means memory. */
export const timeSignal = "SIGTERM";
