/** The page for people as the build leaves it beside its function. */

/** A file that never changes: its name has a hash of its content. */
export interface SiteFile {
  readonly type: string;
  readonly gzip: string;
}

export interface Site {
  /** The HTML. `{{base}}` stands for the path of the stage, in which the page cannot know where it is. */
  readonly html: string;
  /** Files by name: the last part of their path. */
  readonly files: Readonly<Record<string, SiteFile>>;
}
