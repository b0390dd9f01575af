------------------------------- MODULE Reverts -------------------------------
(***************************************************************************)
(* Taking imports back: functions/reverts, one action for each call to the *)
(* table.  The item of a revert says the phase, and which import is next.  *)
(***************************************************************************)
EXTENDS Imports

\* request.ts: each import has ended. It may be reverted meanwhile. One transaction stores the revert and closes the gate.
RequestWith(r, closes) ==
  LET requested == [db EXCEPT !.revert[r] = [phase |-> "waiting", at |-> 1]]
  IN
  /\ db.revert[r].phase = None
  /\ \A i \in Together(r) : db.status[i] = "ended"
  /\ db' = IF ~closes THEN requested
           ELSE IF db.by = None THEN [requested EXCEPT !.by = r]
           ELSE IF WaitersKept THEN [requested EXCEPT !.waiting = Append(@, r)] ELSE requested
  /\ queue' = queue \cup {r}
  /\ UNCHANGED <<rec, work, fence, faults>>

Request(r) == RequestWith(r, RequestCloses)

(***************************************************************************)
(* jobs/steps.ts: one invocation at a time.  It stores its turn first; the *)
(* others wait until it has ended.                                         *)
(***************************************************************************)

\* A delivery before the fence, or the turn of another one, is over only sends the message again: there is none here.
ReadRevert(w, r) ==
  /\ work[w] = Idle /\ r \in queue
  /\ fence[r] = {}
  /\ queue' = queue \ {r}
  /\ work' = [work EXCEPT ![w] = IF db.revert[r].phase \in {None, "done"} THEN Idle
                                 ELSE [job |-> r, pc |-> "turn", seen |-> db.revert[r], isLatest |-> TRUE, next |-> None,
                                       counting |-> {}, relying |-> {}, own |-> {}, others |-> {}, freed |-> {},
                                       pairs |-> {}, page |-> {}, unread |-> {}, kept |-> {}]]
  /\ UNCHANGED <<rec, db, fence, faults>>

\* Each change of a revert counts its version up. So what invocations have read is no longer the latest.
OutdatedBy(works, ws, r) ==
  [v \in Workers |-> IF v \notin ws /\ works[v].job = r THEN [works[v] EXCEPT !.isLatest = FALSE] ELSE works[v]]
Outdated(works, w, r) == OutdatedBy(works, {w}, r)

TakeTurn(w) ==
  LET me == work[w]
  IN /\ me.pc = "turn"
     /\ IF ~me.isLatest THEN Ends(w, db)
        ELSE /\ work' = [IF Turns THEN Outdated(work, w, me.job) ELSE work EXCEPT ![w].pc = me.seen.phase]
             /\ fence' = [fence EXCEPT ![me.job] = IF Turns THEN {w} ELSE @]
             /\ UNCHANGED <<rec, db, queue, faults>>

\* Stores the next step if the stored one is still the one that was read. Otherwise another invocation works on it.
MovedWith(w, phase, at, table) ==
  LET me == work[w]
      next == [phase |-> phase, at |-> at]
      mine == [me EXCEPT !.pc = phase, !.seen = next, !.counting = {}, !.relying = {}, !.own = {},
                         !.others = {}, !.freed = {}, !.pairs = {}, !.page = {}, !.unread = {}, !.kept = {}]
  IN IF ~me.isLatest THEN Ends(w, db)
     ELSE /\ work' = IF phase = "done" THEN WithoutInvocation(w) ELSE [Outdated(work, w, me.job) EXCEPT ![w] = mine]
          /\ fence' = IF phase = "done" THEN [x \in DOMAIN fence |-> fence[x] \ {w}] ELSE fence
          /\ db' = [table EXCEPT !.revert[me.job] = next]
          /\ UNCHANGED <<rec, queue, faults>>

Moved(w, phase, at) == MovedWith(w, phase, at, db)

\* The same, with a fence before the step: the revert resumes by a message of its own.
MovedBehindFenceWith(w, phase, at, waitsFor, table) ==
  LET me == work[w]
      r == me.job
  IN IF ~me.isLatest THEN Ends(w, db)
     ELSE /\ work' = Outdated(WithoutInvocation(w), w, r)
          /\ fence' = [[x \in DOMAIN fence |-> fence[x] \ {w}] EXCEPT ![r] = waitsFor \ {w}]
          /\ db' = [table EXCEPT !.revert[r] = [phase |-> phase, at |-> at]]
          /\ queue' = queue \cup {r}
          /\ UNCHANGED <<rec, faults>>

MovedBehindFence(w, phase, at, waitsFor) == MovedBehindFenceWith(w, phase, at, waitsFor, db)

At(w) == work[w].seen.at
Current(w) == RevertOf[work[w].job][At(w)]
IsLast(w) == At(w) > Len(RevertOf[work[w].job])
To(w, pc) == [work[w] EXCEPT !.pc = pc]
WrittenBy(i) == {c \in ChunksOf[i] : db.plan[c].out \notin {None, "rejected", "erased"}}

(***************************************************************************)
(* `waiting` and `closing`: has closed the gate, and waits for what runs.  *)
(* Or another holds it: then that one begins this revert.  An erasure      *)
(* closes the gate here.                                                   *)
(***************************************************************************)

IsNoted(r) == \E k \in 1..Len(db.waiting) : db.waiting[k] = r

\* The fence is counted from here. A revert is noted since its request; an erasure waits as follows.
TakeGate(w) ==
  LET r == work[w].job
  IN /\ work[w].pc = "waiting"
     /\ IF db.by \in {None, r}
        THEN GoesOn(w, [work[w] EXCEPT !.pc = "read imports", !.counting = Running], [db EXCEPT !.by = r])
        ELSE IF WaitersKept /\ ~IsNoted(r) THEN GoesOn(w, [work[w] EXCEPT !.pc = "wait", !.next = db.by], db)
        ELSE Ends(w, db)

\* Only while that one still holds it: else it may have looked for those that wait already.
Wait(w) ==
  LET r == work[w].job
  IN /\ work[w].pc = "wait"
     /\ IF db.by # work[w].next THEN GoesOn(w, [work[w] EXCEPT !.pc = "waiting", !.next = None], db)
        ELSE Ends(w, IF IsNoted(r) THEN db ELSE [db EXCEPT !.waiting = Append(@, r)])

ReadImports(w) ==
  /\ work[w].pc = "read imports" /\ work[w].job \in Reverts
  /\ IF work[w].job \notin RunReverts /\ Together(work[w].job) \subseteq db.reverted THEN Moved(w, "opening", 1)
     ELSE GoesOn(w, To(w, "close"), db)

StoreFirstFence(w) ==
  /\ work[w].pc = "close"
  /\ MovedBehindFence(w, "closing", 1, IF FirstFence THEN work[w].counting ELSE {})

AfterFirstFence(w) ==
  /\ work[w].pc = "closing" /\ work[w].job \in Reverts
  /\ Moved(w, "giving", 1)

(***************************************************************************)
(* `giving`: records that rely on the imports get contributions, import by *)
(* import of those that have such records.                                 *)
(***************************************************************************)
Giving(me) ==
  [me EXCEPT !.pc = IF me.own # {} THEN "give own" ELSE IF me.others # {} THEN "note next"
                    ELSE IF me.freed # {} THEN "forget" ELSE IF me.relying # {} THEN "give" ELSE "given"]

ReadNotes(w) ==
  /\ work[w].pc = "giving"
  /\ IF IsLast(w) THEN Moved(w, "removing", 1)
     ELSE IF Current(w) \in db.reverted THEN GoesOn(w, To(w, "given"), db)
     ELSE GoesOn(w, Giving([work[w] EXCEPT !.relying = {c \in Chunks : <<Current(w), c>> \in db.notes}]), db)

\* What counted, without the imports that are reverted, when the record was accepted, and says the same.
Holders(c, together) ==
  LET left == {x \in db.contributions : /\ IsVersion(x, c, db.plan[c].pair) /\ ImportOf(x.chunk) \notin together
                                        /\ HeldEarlier => Place(x.chunk) < Place(c)}
  IN {ImportOf(x.chunk) : x \in {y \in IF HeldEarlier THEN Versions(left).counting ELSE left : IsSame(y, c, db.plan[c].pair)}}

\* Reads an import with chunks that may rely, their plans, and the contributions of their learner courses: of those imports
\* that have records to give to the one that was accepted first.
ReadRelying(w, i) ==
  LET me == work[w]
      these == me.relying \cap ChunksOf[i]
      isNone(k) == k \in Together(me.job) \cup db.reverted
      isOwed(c) == /\ i \notin Together(me.job) \cup db.reverted
                   /\ db.summary[c] = "ok" /\ db.plan[c].out = "unchanged"
                   /\ \E x \in db.contributions : IsSame(x, c, db.plan[c].pair) /\ ImportOf(x.chunk) = Current(w)
      has(c) == Contribution(c, db.plan[c].pair) \in db.contributions
      owed == {c \in these : isOwed(c) /\ ~has(c)}
      own == {c \in owed : Holders(c, Together(me.job)) = {} \/ ~GivenOnce}
  IN /\ me.pc = "give" /\ these # {}
     /\ isNone(i) \/ \A c \in me.relying : isNone(ImportOf(c)) \/ Place(c) >= PlaceOf(i)
     /\ \E holders \in [owed \ own -> Imports] :
          /\ \A c \in owed \ own : holders[c] \in Holders(c, Together(me.job))
          /\ GoesOn(w, Giving([me EXCEPT !.relying = @ \ these, !.own = own, !.freed = these,
                                        !.others = {<<holders[c], c>> : c \in owed \ own}]), db)

\* One call for each learner course.
GiveOwn(w) ==
  LET me == work[w]
  IN /\ me.pc = "give own"
     /\ \E pair \in {db.plan[c].pair : c \in me.own} :
          LET given == {c \in me.own : db.plan[c].pair = pair}
          IN GoesOn(w, Giving([me EXCEPT !.own = @ \ given]),
                    [db EXCEPT !.contributions = @ \cup {Contribution(c, pair) : c \in given}])

\* What is left says the same: the record relies on that from now on.
NoteNext(w) ==
  LET me == work[w]
  IN /\ me.pc = "note next"
     /\ \E n \in me.others : GoesOn(w, Giving([me EXCEPT !.others = @ \ {n}]),
                                    IF NotesMoved THEN [db EXCEPT !.notes = @ \cup {n}] ELSE db)

ForgetNote(w) ==
  LET me == work[w]
  IN /\ me.pc = "forget"
     /\ \E c \in me.freed :
          GoesOn(w, Giving([me EXCEPT !.freed = @ \ {c}]), [db EXCEPT !.notes = @ \ {<<Current(w), c>>}])

Given(w) ==
  /\ work[w].pc = "given"
  /\ Moved(w, "giving", At(w) + 1)

(***************************************************************************)
(* `removing`: some imports at once. The report of each once, then the     *)
(* contributions of all, then the ids that no other contribution holds.    *)
(***************************************************************************)
LastAtOnce(w) ==
  LET last == At(w) + RemovedAtOnce - 1
  IN IF last < Len(RevertOf[work[w].job]) THEN last ELSE Len(RevertOf[work[w].job])
AtOnce(w) == {RevertOf[work[w].job][k] : k \in At(w)..LastAtOnce(w)}

Freeing(me) == [me EXCEPT !.pc = IF me.pairs # {} THEN "remove" ELSE IF me.freed # {} THEN "free" ELSE "removed"]
IdsOf(chunks) == {<<IdOf[c], db.plan[c].pair>> : c \in chunks}

\* The learner courses with contributions of the imports are read when all reports are there.
Reporting(w, me) ==
  IF me.page \cup me.unread # {} \/ me.others # {} THEN [me EXCEPT !.pc = "report"]
  ELSE Freeing([me EXCEPT !.pairs = {x.pair : x \in {y \in db.contributions : ImportOf(y.chunk) \in AtOnce(w)}}])

ReadItems(w) ==
  /\ work[w].pc = "removing"
  /\ IF IsLast(w) THEN Moved(w, "opening", 1)
     ELSE GoesOn(w, [work[w] EXCEPT !.pc = "report", !.page = AtOnce(w)], db)

ReadReport(w, i) ==
  LET me == work[w]
      rest == [me EXCEPT !.page = @ \ {i}]
  IN /\ me.pc = "report" /\ i \in me.page
     /\ GoesOn(w, Reporting(w, IF i \in db.reverted THEN rest
                               ELSE IF db.report[i].put THEN [rest EXCEPT !.freed = @ \cup IdsOf(db.report[i].freed)]
                               ELSE [rest EXCEPT !.unread = @ \cup {i}]), db)

DecideReport(w, i) ==
  LET me == work[w]
      isLeft(c) == \E x \in db.contributions : /\ x.pair = db.plan[c].pair /\ IdOf[x.chunk] = IdOf[c]
                                               /\ ImportOf(x.chunk) \notin Together(me.job)
  IN /\ me.pc = "report" /\ i \in me.unread
     /\ GoesOn(w, [me EXCEPT !.unread = @ \ {i}, !.others = @ \cup {<<i, {c \in WrittenBy(i) : ~isLeft(c)}>>}], db)

PutReport(w, i) ==
  LET me == work[w]
  IN /\ me.pc = "report"
     /\ \E decided \in me.others :
          LET kept == IF db.report[i].put THEN db.report[i] ELSE [put |-> TRUE, freed |-> decided[2]]
          IN /\ decided[1] = i
             /\ GoesOn(w, Reporting(w, [me EXCEPT !.others = @ \ {decided}, !.freed = @ \cup IdsOf(kept.freed)]),
                       [db EXCEPT !.report[i] = kept])

\* One call for each learner course.
Remove(w) ==
  LET me == work[w]
  IN /\ me.pc = "remove"
     /\ \E pair \in me.pairs :
          GoesOn(w, Freeing([me EXCEPT !.pairs = @ \ {pair}]),
                 [db EXCEPT !.contributions = {x \in @ : x.pair # pair \/ ImportOf(x.chunk) \notin AtOnce(w)}])

\* One call for each id and pair that was bound to it.
Free(w) ==
  LET me == work[w]
  IN /\ me.pc = "free"
     /\ \E f \in me.freed :
          LET isOurs == FreedIfOurs => db.bound[f[1]] = f[2]
          IN GoesOn(w, Freeing([me EXCEPT !.freed = @ \ {f}]),
                    IF isOurs THEN [db EXCEPT !.bound[f[1]] = None, !.mark[f[1]] = 0] ELSE db)

ArchivedBy(imports) == {c \in db.archived : ImportOf(c) \in imports}

\* One call for each item; all of an import here, because nobody else writes them meanwhile.
RemoveArchived(w) ==
  /\ work[w].pc = "removed" /\ ArchiveRemoved
  /\ \E i \in AtOnce(w) :
       /\ ArchivedBy({i}) # {}
       /\ GoesOn(w, work[w], [db EXCEPT !.archived = @ \ ChunksOf[i], !.named = @ \ {<<"archive", c>> : c \in ChunksOf[i]}])

Removed(w) ==
  /\ work[w].pc = "removed" /\ (ArchiveRemoved => ArchivedBy(AtOnce(w)) = {})
  /\ Moved(w, "removing", LastAtOnce(w) + 1)

(***************************************************************************)
(* `opening`, `opened`: marks the imports, passes the gate on or opens it, *)
(* and sends what waited.                                                  *)
(***************************************************************************)

\* An import of a run gets a revert of its own, which is done.
MarkReverted(w) ==
  LET isOwn(q, i) == work[w].job \in RunReverts /\ q \in Reverts \ RunReverts /\ RevertOf[q] = <<i>>
  IN /\ work[w].pc = "opening"
     /\ \E i \in Together(work[w].job) \ db.reverted :
          GoesOn(w, work[w],
                 [db EXCEPT !.reverted = @ \cup {i},
                            !.revert = [q \in DOMAIN @ |->
                               IF @[q].phase = None /\ isOwn(q, i) THEN [phase |-> "done", at |-> 1] ELSE @[q]]])

\* The one that waits longest, and the others.
FirstWaiting == IF db.waiting = <<>> THEN None ELSE IF InTurn THEN Head(db.waiting) ELSE db.waiting[Len(db.waiting)]
OthersWaiting ==
  IF db.waiting = <<>> THEN <<>> ELSE IF InTurn THEN Tail(db.waiting) ELSE SubSeq(db.waiting, 1, Len(db.waiting) - 1)

PassGate(w) ==
  LET first == FirstWaiting
      next == [work[w] EXCEPT !.pc = IF first \in Reverts THEN "begin" ELSE "open", !.next = first]
  IN /\ work[w].pc = "opening" /\ Together(work[w].job) \subseteq db.reverted
     /\ IF db.by = work[w].job \/ ~OpenedIfOurs
        THEN GoesOn(w, next, [db EXCEPT !.by = first, !.epoch = @ + 1, !.waiting = OthersWaiting])
        ELSE GoesOn(w, To(w, "open"), db)

\* It needs no fence: the gate was closed all the time. A delivery of it that changes it first finds that it holds the gate.
\* An erasure that gets the gate has its own fence, which also waits for what is no processor.
BeginNext(w) ==
  LET n == work[w].next
      mine == [work[w] EXCEPT !.pc = "open", !.next = None]
      isMet == n \in queue \/ \E v \in Workers : work[v].job = n
  IN /\ work[w].pc = "begin"
     /\ \/ /\ db.revert[n].phase = "waiting"
           /\ work' = [Outdated(work, w, n) EXCEPT ![w] = mine]
           /\ db' = [db EXCEPT !.revert[n] = [phase |-> "giving", at |-> 1]]
           /\ UNCHANGED <<rec, queue, fence, faults>>
        \/ (db.revert[n].phase # "waiting" \/ isMet) /\ GoesOn(w, mine, db)

Opened(w) ==
  /\ work[w].pc = "open"
  /\ Moved(w, "opened", 1)

SendWaiting(w) ==
  /\ work[w].pc = "opened"
  /\ queue' = queue \cup (IF IsClosed THEN {db.by} ELSE {c \in Chunks : IsMissing(c)})
  /\ work' = [work EXCEPT ![w].pc = "sent"]
  /\ UNCHANGED <<rec, db, fence, faults>>

Done(w) ==
  /\ work[w].pc = "sent"
  /\ Moved(w, "done", 1)

RevertStep(w) ==
  \/ TakeTurn(w) \/ TakeGate(w) \/ Wait(w) \/ ReadImports(w) \/ StoreFirstFence(w) \/ AfterFirstFence(w)
  \/ ReadNotes(w) \/ (\E i \in Imports : ReadRelying(w, i)) \/ GiveOwn(w) \/ NoteNext(w) \/ ForgetNote(w) \/ Given(w)
  \/ ReadItems(w) \/ (\E i \in Imports : ReadReport(w, i) \/ DecideReport(w, i) \/ PutReport(w, i))
  \/ Remove(w) \/ Free(w) \/ RemoveArchived(w) \/ Removed(w)
  \/ MarkReverted(w) \/ PassGate(w) \/ BeginNext(w) \/ Opened(w) \/ SendWaiting(w) \/ Done(w)

\* The watchdog sends a revert again that is due and that no invocation works on.
WatchRevert(r) ==
  /\ Watchdog
  /\ r \notin queue /\ ~\E w \in Workers : work[w].job = r
  /\ db.revert[r].phase \notin {None, "done"} /\ fence[r] = {}
  /\ queue' = queue \cup {r}
  /\ UNCHANGED <<rec, db, work, fence, faults>>
==============================================================================
