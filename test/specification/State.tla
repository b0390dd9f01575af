-------------------------------- MODULE State --------------------------------
(***************************************************************************)
(* What there is: imports and reverts of one company, the table, the queue,*)
(* and the invocations of the processor.  docs/specification.md explains   *)
(* this and the other modules in ten minutes.                              *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  \* The instance: how many invocations at once, which imports, which reverts.
  Workers,        \* places for invocations that run at the same time
  Imports,
  ChunksOf,       \* ChunksOf[i]: the chunks of import i; a chunk has one record
  IdOf,           \* IdOf[c]: the external_record_id of the record of chunk c
  RecordChoices,  \* possible records: functions from chunks to [pair, content, replaces, at]
  Reverts,
  RevertOf,       \* RevertOf[r]: the imports that revert r takes back, in order
  RemovedAtOnce,  \* how many imports a revert takes back in one step
  RunReverts,     \* those that were requested of a run; the others, of an import
  Erasures,       \* of the person who is the learner of this pair
  ErasedPair,     \* or None: someone without an account
  Archives,       \* imports that keep records of which nobody is found
  AcceptedFirst,  \* imports that are accepted at the start; the others at any time
  Cancellable,    \* imports that a client may cancel, and the plan if it may be
  Abandonable,    \* imports that the watchdog may abandon
  Restores,       \* an operator restores an earlier table, once
  Plans,          \* the plan of a migration, if there is one
  PlaceOfDryRun,  \* PlaceOfDryRun[i]: the place in the plan of the dry run that import i would be made of; others are of no plan
  Alone,          \* the dry runs are made when all other imports have ended
  \* Faults, and how many of them happen in all.
  MaxFaults,
  Kills,          \* an invocation is killed, and its message delivered again
  Doubles,        \* a message is delivered again, at the same time or later
  Losses,         \* a message is lost
  Remaps,         \* a mapping changes: a record names another learner course
  Recourses,      \* a course changes: a record that is not decided yet would store something else
  \* Guards: TRUE is the protocol. Switched off, each must be missed by a property.
  GateChecked,    \* a chunk does no work while the gate is closed
  CheckedAgain,   \* nor where the plan that another delivery put first has effects
  RequestCloses,  \* the request of a revert closes the gate, or notes there that the revert waits
  FirstFence,     \* between closing the gate and taking back
  Turns,          \* one invocation at a time works for a revert
  EpochChecked,   \* a plan of an earlier epoch claims its ids, and relies on nothing
  NotesKept,      \* an `unchanged` record is noted beside the import that it relies on
  NotesMoved,     \* and beside the next one when that is reverted
  GivenOnce,      \* of records that rely on equal content, one gets a contribution
  HeldEarlier,    \* a record is given none only where that content counted when it was accepted
  EarlierWritten, \* an `unchanged` record is written if it was accepted before what it would rely on
  OvertakenWritten, \* and while an import that replaces is open
  PlanOnce,       \* the first stored plan of a chunk is the one that is carried out
  FreedIfOurs,    \* a revert frees an id only if it is bound to the pair of the record
  AbandonedFreed, \* abandoning frees the ids that only abandoned records had claimed
  MarkedFirst,    \* it marks them, waits, and frees them unless they were claimed in the meantime
  WaitsTwice,     \* that wait is twice as long as an invocation can be
  OpenedIfOurs,   \* a revert opens the gate only if it holds it
  ErasureFence,   \* between closing the gate and erasing
  HaltsFirst,     \* no plan of an open import names the person when chunks pass the gate again
  ErasedTwice,    \* imports that were open are visited once more
  SecondFence,    \* after everything that ran at the first visit has ended
  ErasureFrees,   \* an erasure frees the ids that plans claimed without a contribution
  ClosedFirst,    \* a restore ends everything that runs before
  InTurn,         \* the gate is passed to the one that waits longest
  WaitersKept,    \* a revert that finds the gate closed is noted there
  AllSummaries,   \* an import ends when each of its chunks has a summary
  PlanCompared,   \* a record of a plan succeeds only for the planned pair, with the planned content
  OverCompared,   \* one that replaces, or was planned as `unchanged`, only over what it was planned over
  PlanAside,      \* where imports of the plan itself are left aside
  OutcomeFree,    \* and whether it is `applied` or `updated` is not compared
  RejectedKept,   \* what was planned to be rejected is not evaluated again
  IdsOfPlaces,    \* the place in the plan gives the id of an import
  CommitsInTurn,  \* imports of a plan are accepted one after the other
  StagedAgain,    \* each try to accept an import copies the report again
  DriverWaits,    \* no import of a plan is accepted while the gate is held, even where it lets chunks pass
  ListedLate,     \* an erasure also visits the imports of a plan that were accepted until its fence was over
  LastCancels,    \* the driver itself cancels what is open when it finds the plan cancelled
  LooksAhead,     \* also what was accepted and not stored as the next step any more
  EndsLast,       \* a plan ends after its imports
  ArchiveWaits,   \* a chunk that only archives waits for the gate, as one that writes
  ArchivedFirst,  \* it archives before its summary
  ArchiveRemoved, \* a revert removes what its imports archived
  ArchiveErased,  \* an erasure removes what is archived of the person
  Watchdog        \* there is one

VARIABLES
  rec,    \* rec[c]: [pair, content, replaces, at] of the record of chunk c: its pair as mappings resolve it now, whether its
          \* import replaces, and the place of its import in the order of acceptance (`created_at`, then `import_id`)
  db,     \* the table: a record with the members that Init lists
  queue,  \* messages that can be delivered: a chunk or a revert
  work,   \* work[w]: the invocation at place w: its message, its next call, what it has read
  fence,  \* fence[x]: the invocations that revert, abandoned import or marked id x waits for
  faults  \* how many faults have happened

vars == <<rec, db, queue, work, fence, faults>>

None == "none"
Chunks == UNION {ChunksOf[i] : i \in Imports}
Ids == {IdOf[c] : c \in Chunks}
\* A constant, which TLC evaluates once.
ImportOfEach == [c \in Chunks |-> CHOOSE i \in Imports : c \in ChunksOf[i]]
ImportOf(c) == ImportOfEach[c]
Together(r) == {RevertOf[r][k] : k \in 1..Len(RevertOf[r])}
Replaces(i) == \E c \in ChunksOf[i] : rec[c].replaces
\* In the order of acceptance.
Place(c) == rec[c].at
PlaceOf(i) == Place(CHOOSE c \in ChunksOf[i] : TRUE)

PlanImports == DOMAIN PlaceOfDryRun
PlanChunks == UNION {ChunksOf[i] : i \in PlanImports}
\* What takes turns: functions/jobs.
Jobs == Reverts \cup Erasures \cup Plans

PlacesOfNone == [i \in {} |-> 0]
NoPlan == [out |-> None]
Rejecting == [out |-> "rejected"]
\* Rejected because nobody is found, and archived.
Kept == [out |-> "rejected", why |-> "kept"]
\* Rejected with `plan_changed`.
Changed == [out |-> "rejected", why |-> "changed"]
NoReport == [put |-> FALSE, freed |-> {}]
Idle == [job |-> None, pc |-> "idle"]

Init ==
  /\ rec \in RecordChoices
  /\ db = [ \* Import items. The three sets hold imports.
            status |-> [i \in Imports |-> IF i \in AcceptedFirst THEN "open" ELSE None],
            cancelled |-> {}, closing |-> {}, reverted |-> {},
            summary |-> [c \in Chunks |-> None],
            \* A plan: [out, pair, on, epoch]. `out` is the outcome, `on` the import relied on: of an `unchanged` record
            \* that is written all the same, none.
            plan |-> [c \in Chunks |-> NoPlan],
            \* The chunks whose record the archive has.
            archived |-> {},
            \* Contributions: [chunk, pair]. Identities: the pair that each id is bound to.
            contributions |-> {}, bound |-> [id \in Ids |-> None],
            \* The mark of an id that abandoning is about to free, 0 for none; `marks` counts them. `waited` holds
            \* those of which half of the wait is over. unused[i]: what the watchdog has read of import i before
            \* it frees: <<id, mark>>.
            mark |-> [id \in Ids |-> 0], marks |-> 0, waited |-> {}, unused |-> [i \in Imports |-> {}],
            \* Notes: <<i, c>> says that chunk c relies on import i. Imports that replace and may be open.
            notes |-> {}, replacing |-> {i \in AcceptedFirst : Replaces(i)},
            \* The gate: the revert that holds it, those that wait for it, its epoch, and whether it lets chunks pass.
            by |-> None, waiting |-> <<>>, epoch |-> 0, admits |-> FALSE,
            \* Reverts, and erasures: the phase, and the position of the next import. Reports of reverts, by import.
            revert |-> [r \in Jobs |-> [phase |-> None, at |-> 0]],
            report |-> [i \in Imports |-> NoReport],
            \* The table that may be restored.
            past |-> [state |-> None],
            \* A plan: its status, and whether it is cancelled. planned[c]: [out, pair, content, over] of the dry run, `over` is
            \* what counted of the id; staged[c]: the copy of it that the payload of c has.
            application |-> [status |-> None, cancelled |-> FALSE],
            planned |-> [c \in PlanChunks |-> NoPlan], staged |-> [c \in PlanChunks |-> NoPlan],
            \* Erasure: whether the person is gone; imports that were accepted before the gate was closed, those that were
            \* visited, and those that are visited again; calls that have copied a payload; where the person is named.
            gone |-> FALSE, known |-> {}, visited |-> {}, again |-> {}, copying |-> {},
            named |-> {<<"payload", c>> : c \in {d \in Chunks : Erasures # {} /\ ImportOf(d) \in AcceptedFirst
                                                              /\ rec[d].pair = ErasedPair}} ]
  /\ queue = UNION {ChunksOf[i] : i \in AcceptedFirst}
  /\ work = [w \in Workers |-> Idle]
  /\ fence = [x \in Jobs \cup Imports \cup Ids |-> {}]
  /\ faults = 0

Running == {w \in Workers : work[w] # Idle}
\* Whether a plan does more than reject.
HasEffect(plan) == plan.out \notin {"rejected", "erased"} \/ (ArchiveWaits /\ plan = Kept)
\* Chunks wait for the holder of the gate, unless it lets them pass; and for a revert that waits.
IsClosed == db.by # None /\ ~(db.admits /\ \A k \in 1..Len(db.waiting) : db.waiting[k] \in Erasures)
IsMissing(c) == db.status[ImportOf(c)] = "open" /\ db.summary[c] = None
IsComplete(i, table) == \A c \in ChunksOf[i] : table.summary[c] # None

(***************************************************************************)
(* After a call to the table, an invocation goes on or ends.               *)
(***************************************************************************)
GoesOn(w, next, table) ==
  /\ work' = [work EXCEPT ![w] = next]
  /\ db' = table
  /\ UNCHANGED <<rec, queue, fence, faults>>

\* No fence waits any longer for an invocation that has ended. `counting` is an invocation that
\* is about to store its fence, and remembers what ran when it closed the gate.
WithoutInvocation(w) ==
  [v \in Workers |-> IF v = w THEN Idle
                     ELSE IF "counting" \in DOMAIN work[v] THEN [work[v] EXCEPT !.counting = @ \ {w}]
                     ELSE work[v]]

EndsWith(w, table, messages, fences) ==
  /\ work' = WithoutInvocation(w)
  /\ fence' = [x \in DOMAIN fence |-> fences[x] \ {w}]
  /\ db' = table
  /\ queue' = queue \cup messages
  /\ UNCHANGED <<rec, faults>>

Ends(w, table) == EndsWith(w, table, {}, fence)

\* A call that belongs to no invocation of the processor.
Changes(table) == db' = table /\ UNCHANGED <<rec, queue, work, fence, faults>>
==============================================================================
