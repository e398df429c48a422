;;; caveat.el --- Dangerous commands in files that tell agents what to do  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; Lets eglot run `caveat lsp' for Markdown and for the files that address agents.  Put this file on `load-path' and
;;
;;   (require 'caveat)
;;   (add-hook 'markdown-mode-hook #'caveat-ensure)
;;
;; into your configuration.  eglot runs one server a mode, and names one for Markdown that you may not have: what is set
;; in `eglot-server-programs' is not touched.  Without the hook, `M-x caveat' starts caveat for the current project, in
;; place of another server.

;;; Code:

(require 'eglot)

(defgroup caveat nil
  "Dangerous commands in files that tell agents and operators what to do."
  :group 'tools)

(defcustom caveat-command '("caveat" "lsp")
  "The program that is run, and its arguments."
  :type '(repeat string))

(dolist (file '("\\.mdc\\'" "/\\.cursorrules\\'" "/\\.windsurfrules\\'" "/\\.clinerules\\'"))
  (add-to-list 'auto-mode-alist (cons file 'markdown-mode)))

(defun caveat--programs ()
  "What `eglot-server-programs' is to be in the current buffer."
  (list (cons major-mode (lambda (&rest _) caveat-command))))

;;;###autoload
(defun caveat-ensure ()
  "Have eglot run caveat in the current buffer, for hooks."
  (setq-local eglot-server-programs (caveat--programs))
  (eglot-ensure))

;;;###autoload
(defun caveat ()
  "Run caveat for the current project, in place of another server for its mode."
  (interactive)
  (unless (executable-find (car caveat-command))
    (user-error "The program %s is not there: install it, or set `caveat-command'" (car caveat-command)))
  (when-let ((server (eglot-current-server)))
    (eglot-shutdown server))
  (let ((eglot-server-programs (caveat--programs)))
    (apply #'eglot (eglot--guess-contact))))

(provide 'caveat)

;;; caveat.el ends here
