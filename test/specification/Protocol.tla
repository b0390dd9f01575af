------------------------------- MODULE Protocol -------------------------------
(***************************************************************************)
(* Imports, reverts and plans together, with faults; and what must hold.   *)
(*                                                                         *)
(* TIME is abstract.  A FENCE, which in the code is a wait of the time-out *)
(* and a margin, ends when each invocation that ran as it began has ended. *)
(* A call that arrives after its invocation was killed is, here, an        *)
(* invocation that is slow, and killed after that call.                    *)
(***************************************************************************)
EXTENDS Plans

OneMoreFault == faults < MaxFaults /\ faults' = faults + 1

Kill(w) ==
  /\ OneMoreFault /\ Kills /\ w \in Running
  /\ work' = WithoutInvocation(w)
  /\ fence' = [x \in DOMAIN fence |-> fence[x] \ {w}]
  /\ queue' = queue \cup {work[w].job}
  /\ UNCHANGED <<rec, db>>

Double(m) ==
  /\ OneMoreFault /\ Doubles /\ m \notin queue
  /\ IF m \in Chunks THEN db.status[ImportOf(m)] # None ELSE db.revert[m].phase \notin {None, "done"}
  /\ queue' = queue \cup {m}
  /\ UNCHANGED <<rec, db, work, fence>>

Lose(m) ==
  /\ OneMoreFault /\ Losses /\ m \in queue
  /\ queue' = queue \ {m}
  /\ UNCHANGED <<rec, db, work, fence>>

\* The watchdog comes while an invocation works: what that one has read is not the latest any more.
WatchEarly(r) ==
  /\ OneMoreFault /\ Doubles /\ Watchdog /\ r \notin queue
  /\ \E w \in Workers : work[w].job = r
  /\ work' = OutdatedBy(work, {}, r)
  /\ queue' = queue \cup {r}
  /\ UNCHANGED <<rec, db, fence>>

Remap(c) ==
  /\ OneMoreFault /\ Remaps
  /\ rec' = [rec EXCEPT ![c].pair = IF @ = "p" THEN "q" ELSE "p"]
  /\ UNCHANGED <<db, queue, work, fence>>

Recourse(c) ==
  /\ OneMoreFault /\ Recourses
  /\ db.plan[c] = NoPlan /\ ~\E w \in Workers : work[w].job = c /\ work[w].plan # NoPlan
  /\ rec' = [rec EXCEPT ![c].content = IF @ = "a" THEN "b" ELSE "a"]
  /\ UNCHANGED <<db, queue, work, fence>>

\* bin/restore: the stack is closed, and what ran has ended. Messages stay in their queue.
Save == Restores /\ db.past.state = None /\ Changes([db EXCEPT !.past = [state |-> "saved", table |-> db]])

Restore ==
  /\ db.past.state = "saved"
  /\ db' = [db.past.table EXCEPT !.past = [state |-> "restored"], !.copying = {}, !.unused = [i \in Imports |-> {}]]
  /\ work' = IF ClosedFirst THEN [w \in Workers |-> Idle] ELSE work
  /\ fence' = [x \in DOMAIN fence |-> {}]
  /\ UNCHANGED <<rec, queue, faults>>

Step(w) == ChunkStep(w) \/ RevertStep(w) \/ ErasureStep(w) \/ PlanStep(w)

Next ==
  \/ \E w \in Workers : Step(w) \/ Kill(w)
  \/ \E w \in Workers, c \in Chunks : ReadChunk(w, c)
  \/ \E w \in Workers, r \in Jobs : ReadRevert(w, r)
  \/ \E i \in Imports : NoteReplacing(i) \/ ForgetReplacing(i) \/ Accept(i) \/ Cancel(i) \/ EndCancelled(i) \/ WatchEnd(i)
  \/ \E i \in Imports : AnnounceAbandoning(i) \/ Abandon(i) \/ MarkUnused(i) \/ ReadUnused(i) \/ FreeUnused(i)
  \/ \E id \in Ids : WaitAgain(id)
  \/ \E c \in Chunks : WatchChunk(c) \/ Remap(c) \/ Recourse(c) \/ DryRun(c)
  \/ \E r \in Reverts : Request(r)
  \/ \E r \in Jobs : WatchRevert(r) \/ WatchEarly(r)
  \/ \E p \in Plans : MakePlan(p) \/ Approve(p) \/ Withdraw(p) \/ Apply(p) \/ CancelPlan(p) \/ CancelOpen(p)
  \/ \E e \in Erasures : Tell(e)
  \/ \E c \in Chunks : CopyPayload(c) \/ CopyKept(c)
  \/ Save \/ Restore
  \/ \E copy \in db.copying : EndCopied(copy)
  \/ \E m \in Chunks \cup Jobs : Double(m) \/ Lose(m)

Spec == Init /\ [][Next]_vars

\* An invocation that runs takes its next step, a message is delivered in the end, and the watchdog comes.
Fairness ==
  /\ \A w \in Workers : WF_vars(Step(w))
  /\ \A c \in Chunks : SF_vars(\E w \in Workers : ReadChunk(w, c)) /\ WF_vars(WatchChunk(c))
  /\ \A r \in Jobs : SF_vars(\E w \in Workers : ReadRevert(w, r)) /\ WF_vars(WatchRevert(r))
  /\ \A i \in Imports : WF_vars(WatchEnd(i)) /\ WF_vars(EndCancelled(i))
  /\ \A c \in Chunks : WF_vars(CopyPayload(c)) /\ WF_vars(CopyKept(c))
  /\ \A c \in Chunks : WF_vars(\E copy \in db.copying : copy.chunk = c /\ EndCopied(copy))
  /\ \A i \in Imports : WF_vars(Abandon(i)) /\ WF_vars(MarkUnused(i)) /\ WF_vars(ReadUnused(i)) /\ WF_vars(FreeUnused(i))
  /\ \A id \in Ids : WF_vars(WaitAgain(id))

FairSpec == Spec /\ Fairness

(***************************************************************************)
(* What must hold.                                                         *)
(***************************************************************************)

\* Nothing runs, and nothing is owed.
Quiet ==
  /\ queue = {} /\ Running = {}
  /\ \A i \in Imports : db.status[i] # "open"
  /\ \A r \in Jobs : db.revert[r].phase \in {None, "done"}
  /\ db.copying = {}
  /\ \A i \in Imports : db.unused[i] = {}

\* The record of the chunk succeeded, its import is not reverted, and its person is not erased.
Counts(c) == db.summary[c] = "ok" /\ ImportOf(c) \notin db.reverted /\ db.plan[c].out # "erased"

\* 1. What is stored is what the records that count say: no more, and no less.
NothingForeign ==
  Quiet => \A x \in db.contributions : Counts(x.chunk) /\ x = Contribution(x.chunk, db.plan[x.chunk].pair)
NothingLost ==
  Quiet => \A c \in Chunks : Counts(c) =>
    IF db.plan[c].out # "unchanged" THEN Contribution(c, db.plan[c].pair) \in db.contributions
    ELSE \E x \in db.contributions : /\ x.pair = db.plan[c].pair /\ IdOf[x.chunk] = IdOf[c]
                                     /\ rec[x.chunk].content = rec[c].content

\* What is shown of a record, and what counts, is what the records that count make of it, one after the other in the order of
\* acceptance.
LastWord ==
  Quiet => \A c \in Chunks : Counts(c) =>
    LET isOf(d) == IdOf[d] = IdOf[c] /\ db.plan[d].pair = db.plan[c].pair
    IN Versions({x \in db.contributions : isOf(x.chunk)})
       = Versions({Contribution(d, db.plan[c].pair) : d \in {e \in Chunks : Counts(e) /\ isOf(e)}})

\* 2. An id is bound if and only if a record that counts has it, and to the pair of that record.
IdsAreRight ==
  Quiet => \A id \in Ids :
    {db.bound[id]} \ {None} = {db.plan[c].pair : c \in {d \in Chunks : IdOf[d] = id /\ Counts(d)}}

\* 3. Results stay, but for those after the point to which the table is restored: an import that has ended has all of them, and none ever changes.
EndedIsComplete == \A i \in Imports : db.status[i] = "ended" => IsComplete(i, db)
ResultsStay ==
  [][db'.past.state = db.past.state => \A c \in Chunks :
                       /\ db.summary[c] # None => /\ db'.summary[c] = db.summary[c]
                                                  /\ db'.plan[c] = db.plan[c] \/ db'.plan[c].out = "erased"
                       /\ db.status[ImportOf(c)] = "ended" => db'.status[ImportOf(c)] = "ended"]_vars

\* 4. Every import and every revert ends, and the gate does not stay closed.
EveryImportEnds == \A i \in Imports : db.status[i] = "open" ~> db.status[i] = "ended"
EveryRevertEnds == \A r \in Reverts \cup Erasures : db.revert[r].phase # None ~> db.revert[r].phase = "done"
GateIsOpen == Quiet => db.by = None

\* Who waits for the gate is begun by who opens it: nobody waits at an open one.
NobodyWaits == db.by = None => db.waiting = <<>>

\* From the request of a revert on, imports wait for it.
ClosedFromRequest == \A r \in Reverts : db.revert[r].phase = "waiting" => IsClosed

\* Of those that wait, nobody is overtaken: each waits behind the same ones, or behind fewer.
NeverOvertaken ==
  [][db'.past.state = db.past.state => \A k \in 1..Len(db.waiting) :
       \/ db'.by = db.waiting[k]
       \/ \E j \in 1..k : /\ j <= Len(db'.waiting)
                         /\ db'.waiting[j] = db.waiting[k]
                         /\ db'.by # db.by => j < k]_vars

\* A record gets a contribution of its own only where nothing that is left, and counted when it was accepted, says the same.
GivenIsNeeded ==
  \A w \in Workers : work[w].pc = "give own" => \A c \in work[w].own : Holders(c, Together(work[w].job)) = {}

\* 5. An import is called reverted only when nothing of it is left.
\* Two watchdogs that abandon it may each archive; the slower one is not waited for. What it archives then is in no list of the run.
RevertedIsGone ==
  /\ \A x \in db.contributions : ImportOf(x.chunk) \notin db.reverted
  /\ \A c \in db.archived : ImportOf(c) \in db.reverted => ImportOf(c) \in db.closing

\* The archive has what the results say, of imports that are not reverted.
ArchiveIsRight ==
  Quiet => \A c \in Chunks : ImportOf(c) \notin db.reverted =>
    (c \in db.archived <=> db.summary[c] = "rejected" /\ db.plan[c] = Kept)

\* 6. When all is quiet, nothing is left of a person who is erased, in imports that were accepted before the fact, and in those
\* that are made of dry runs.
ErasedIsGone ==
  Quiet => \A e \in Erasures : db.revert[e].phase = "done" =>
    /\ \A n \in db.named : ImportOf(n[2]) \notin db.known \cup PlanImports
    /\ \A x \in db.contributions : x.pair # ErasedPair
    /\ \A id \in Ids : db.bound[id] # ErasedPair \/ ErasedPair = None

(***************************************************************************)
(* Of a plan, §4.11.                                                       *)
(***************************************************************************)
OfPlan == {c \in PlanChunks : db.staged[c] # NoPlan}
AcceptedOfPlan == {i \in PlanImports : db.status[i] # None}

\* A plan guards what is written: for the planned pair, with the planned content.
OnlyAsPlanned ==
  \A x \in db.contributions : x.chunk \in OfPlan =>
    x.pair = db.staged[x.chunk].pair /\ rec[x.chunk].content = db.staged[x.chunk].content

\* An import of a plan that replaces does so only over what it was planned over, and over imports of the plan.
NothingOverruled ==
  \A c \in OfPlan : rec[c].replaces /\ db.plan[c].out \in {"applied", "updated"} => db.plan[c].seen = db.staged[c].over

\* Where nothing but the plan has written since the dry runs, nothing is `plan_changed`.
PlanIsApplicable == Alone => \A c \in Chunks : db.plan[c] # Changed

EachOnce == \A i, j \in AcceptedOfPlan : PlaceOfDryRun[i] = PlaceOfDryRun[j] => i = j
InOrder == \A i \in AcceptedOfPlan : \A k \in 1..PlaceOfDryRun[i] : \E j \in AcceptedOfPlan : PlaceOfDryRun[j] = k

\* What was planned to be rejected leaves nothing.
RejectedStays ==
  \A c \in OfPlan : db.staged[c].out = "rejected" => db.plan[c].out \in {None, "rejected", "erased"}

\* A plan is called applied when each of its imports has ended; and cancelled when nothing of it is open. Nothing is accepted later.
RunEndsOnce ==
  db.application.status = "applied" => \A k \in {PlaceOfDryRun[i] : i \in PlanImports} :
    \E i \in PlanImports : PlaceOfDryRun[i] = k /\ db.status[i] = "ended"
CancelStops == db.application.status = "cancelled" => \A i \in PlanImports : db.status[i] # "open"

EveryPlanEnds == \A p \in Plans : db.application.status = "applying" ~> db.application.status \in {"applied", "cancelled"}
=============================================================================
